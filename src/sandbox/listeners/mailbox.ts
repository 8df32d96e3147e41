/** The e-mails about deliveries that are given up: at most one per destination in 10 minutes, with the id of each lost event, to the company's technical contact. [spec 6.6, decisions 7] */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { idFrom } from '../../base/ids.ts';
import { type Cancel, LANE } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { plural } from '../../contract/sentences.ts';
import type { SentMail } from '../../service/api/route.ts';
import { MAILS_KEPT } from '../../service/domain/deliveries/mails.ts';
import type { ContactMail, LostDelivery } from '../../service/domain/world/documents.ts';
import type { Touched } from '../../service/domain/world/world.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { PostOffice } from './mail-server.ts';

const EVERY_MS = 10 * 60_000;

const FROM = 'sandbox@localhost';

interface Window {
  readonly cancel: Cancel;
  readonly lost: LostDelivery[];
}

interface MailboxParts {
  readonly engine: Engine;
  /** The folder in which each mail is written as an .eml file; null: no files. */
  readonly folder: string | null;
  /** Null: no mail server is configured. */
  readonly postOffice: PostOffice | null;
}

/** Lost deliveries and sent mails are documents of the world, so that they survive a crash. */
export class Mailbox {
  readonly #parts: MailboxParts;
  /** Oldest first. */
  readonly #sent: ContactMail[];
  /** By destination, during its 10 minutes. */
  readonly #windows = new Map<string, Window>();
  /** Commits in flight. */
  readonly #keeping = new Set<Promise<unknown>>();

  constructor(parts: MailboxParts) {
    this.#parts = parts;
    this.#sent = [...parts.engine.world.all('mail')].sort((a, b) => a.at - b.at);
    if (parts.engine.isShared) parts.engine.listen({ committed: ({ touched }) => this.#follow(touched) });
  }

  /**
   * Continues the state of the last run: open periods of 10 minutes, losses not yet reported, and mails that the mail
   * server has not accepted.
   */
  start(): void {
    this.#resume(() => true);
  }

  /** Does the same as `start` for destinations for which another node was responsible until now. */
  take(destinationIds: readonly string[]): void {
    const taken = new Set(destinationIds);
    this.#resume(({ destinationId }) => taken.has(destinationId));
  }

  #resume(isMine: (of: { readonly destinationId: string }) => boolean): void {
    const { world, clock } = this.#parts.engine;
    const sent = this.#sent.filter(isMine);
    for (const { destinationId, at } of sent)
      if (at + EVERY_MS > clock.now() && !this.#windows.has(destinationId)) this.#begin(destinationId, at + EVERY_MS);
    const lost = [...world.all('lost')].filter(isMine);
    for (const one of lost.sort((a, b) => a.eventAt - b.eventAt)) this.lost(one);
    for (const mail of sent) if (mail.waits) this.#post(mail);
  }

  /** Adds e-mails that another node sent. */
  #follow(touched: readonly Touched[]): void {
    for (const { kind, id, after } of touched) {
      if (kind !== 'mail' || after === undefined) continue;
      const place = this.#sent.findIndex((mail) => mail.id === id);
      if (place === -1) this.#sent.push(after as ContactMail);
      else this.#sent[place] = after as ContactMail;
    }
    while (this.#sent.length > MAILS_KEPT) this.#sent.shift();
  }

  /** Reports a lost delivery: at once, or together with others at the end of the 10 minutes of its destination. */
  lost(delivery: LostDelivery): void {
    const window = this.#windows.get(delivery.destinationId);
    if (window !== undefined) {
      window.lost.push(delivery);
      return;
    }
    this.#send([delivery]);
    this.#begin(delivery.destinationId, this.#parts.engine.clock.now() + EVERY_MS);
  }

  /** Returns the newest mails first. */
  newest(limit: number, organizationId?: string): readonly SentMail[] {
    const seen = this.#sent.filter((mail) => organizationId === undefined || mail.organizationId === organizationId);
    return seen
      .reverse()
      .slice(0, limit)
      .map(({ at, ...mail }) => ({ ...mail, at: formatInstant(at) }));
  }

  /**
   * Sends at once what waits for the end of its 10 minutes. Resolves when it is on disk; mails that the mail server has
   * not accepted are sent at the next start.
   */
  async stop(): Promise<void> {
    const windows = [...this.#windows.values()];
    this.#windows.clear();
    for (const { cancel, lost } of windows) {
      cancel();
      this.#send(lost);
    }
    this.#parts.postOffice?.close();
    await Promise.all(this.#keeping);
  }

  #begin(destinationId: string, until: number): void {
    const { clock } = this.#parts.engine;
    const lost: LostDelivery[] = [];
    const over = () => {
      this.#windows.delete(destinationId);
      if (lost.length === 0) return;
      this.#send(lost);
      this.#begin(destinationId, clock.now() + EVERY_MS);
    };
    const cancel = clock.at(until, { lane: LANE.rest, actor: `mail ${destinationId}` }, over);
    this.#windows.set(destinationId, { cancel, lost });
  }

  #send(lost: readonly LostDelivery[]): void {
    const { engine, folder, postOffice } = this.#parts;
    const { world, clock } = engine;
    const [first] = lost;
    if (first === undefined) return;
    const lostIds = lost.map(({ id }) => id);
    const destination = world.get('destination', first.destinationId);
    if (destination === undefined) return this.#keep(null, lostIds);
    const { organizationId, url } = destination;
    const mail: ContactMail = {
      id: idFrom('mail', first.id, lost.length),
      at: clock.now(),
      organizationId,
      destinationId: destination.id,
      to: world.need('organization', organizationId).technicalContact,
      subject: `${plural(lost.length, 'event')} could not be delivered to ${new URL(url).host}`,
      text: textOf(url, lost),
      waits: postOffice !== null,
    };
    this.#sent.push(mail);
    if (this.#sent.length > MAILS_KEPT) this.#sent.shift();
    if (folder !== null) writeEml(folder, mail);
    this.#keep(mail, lostIds);
    this.#post(mail);
    const { id, at, to, subject, text } = mail;
    engine.notify({ kind: 'mail-sent', at: formatInstant(at), id, organization_id: organizationId, to, subject, text });
  }

  /** If the disk is full, the losses stay in the world and are reported again at the next start. */
  #keep(mail: ContactMail | null, lostIds: readonly string[]): void {
    const kept = this.#parts.engine.submit({ type: 'keep-mail', mail, lostIds }).finally(() => {
      this.#keeping.delete(kept);
    });
    this.#keeping.add(kept);
  }

  #post(mail: ContactMail): void {
    const { postOffice } = this.#parts;
    postOffice?.post({ ...mail, from: FROM }, () => {
      const posted = { ...mail, waits: false };
      const place = this.#sent.indexOf(mail);
      if (place !== -1) this.#sent[place] = posted;
      this.#keep(posted, []);
    });
  }
}

function textOf(url: string, lost: readonly LostDelivery[]): string {
  const lines = lost.map(({ eventId, eventType, eventAt }) => `  ${eventId}  ${eventType}  ${formatInstant(eventAt)}`);
  const oldest = Math.min(...lost.map(({ eventAt }) => eventAt));
  return [
    // This text is part of the canonical log: another wording changes the logs.
    `The receiver ${url} did not accept what follows within 24 hours; it was given up as lost:`,
    '',
    ...lines,
    '',
    'The events stay in the log for 30 days. Fill the gap with',
    `  GET /v1/events?created_after=${formatInstant(oldest)}`,
    'The destination stays active.',
    '',
  ].join('\n');
}

/**
 * Writes the mail in the format that mail programs open. If the file cannot be written, the mail is still in the list,
 * which is authoritative.
 */
function writeEml(folder: string, { id, at, to, subject, text }: ContactMail): void {
  const instant = formatInstant(at);
  const date = instant.replace(/[:.]/g, '-');
  const head = [
    `From: ${FROM}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `X-Sandbox-Date: ${instant}`,
    `Message-ID: <${id}@localhost>`,
  ];
  const whole = [...head, 'Content-Type: text/plain; charset=utf-8', '', ...text.split('\n')].join('\r\n');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${date}-${id.slice(0, 8)}.eml`), whole);
  } catch {
    // The data folder is full or was removed.
  }
}
