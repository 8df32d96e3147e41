/** The e-mails about deliveries that were given up: one per destination per 10 minutes, with each lost id, to the company's technical contact. [spec 6.6, decisions 7] */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SentMail } from '../../api/route.ts';
import { idFrom } from '../../base/ids.ts';
import { type Cancel, LANE } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { plural } from '../../contract/sentences.ts';
import { MAILS_KEPT } from '../../domain/deliveries/mails.ts';
import type { ContactMail, LostDelivery } from '../../domain/world/documents.ts';
import type { Touched } from '../../domain/world/world.ts';
import type { Engine } from '../../engine/engine.ts';
import type { PostOffice } from './mail-server.ts';

const EVERY_MS = 10 * 60_000;

const FROM = 'sandbox@localhost';

interface Window {
  readonly cancel: Cancel;
  readonly lost: LostDelivery[];
}

interface MailboxParts {
  readonly engine: Engine;
  /** Where each mail lies as an .eml file; null: nowhere. */
  readonly folder: string | null;
  /** Null: no mail server was named. */
  readonly postOffice: PostOffice | null;
}

/** What is lost and what was sent are documents of the world, so that a crash forgets neither. */
export class Mailbox {
  readonly #parts: MailboxParts;
  /** Oldest first. */
  readonly #sent: ContactMail[];
  /** By destination, while its 10 minutes run. */
  readonly #windows = new Map<string, Window>();
  /** Commits on their way. */
  readonly #keeping = new Set<Promise<unknown>>();

  constructor(parts: MailboxParts) {
    this.#parts = parts;
    this.#sent = [...parts.engine.world.all('mail')].sort((a, b) => a.at - b.at);
    if (parts.engine.isShared) parts.engine.listen({ committed: ({ touched }) => this.#follow(touched) });
  }

  /** Goes on where the last run ended: its 10 minutes, what it had not reported, and what the mail server had not taken. */
  start(): void {
    this.#resume(() => true);
  }

  /** As a start, for destinations that another node worked for until now. */
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

  /** E-mails that another node sent. */
  #follow(touched: readonly Touched[]): void {
    for (const { kind, id, after } of touched) {
      if (kind !== 'mail' || after === undefined) continue;
      const place = this.#sent.findIndex((mail) => mail.id === id);
      if (place === -1) this.#sent.push(after as ContactMail);
      else this.#sent[place] = after as ContactMail;
    }
    while (this.#sent.length > MAILS_KEPT) this.#sent.shift();
  }

  /** Reports a lost delivery: at once, or with the others when the 10 minutes of its destination are over. */
  lost(delivery: LostDelivery): void {
    const window = this.#windows.get(delivery.destinationId);
    if (window !== undefined) {
      window.lost.push(delivery);
      return;
    }
    this.#send([delivery]);
    this.#begin(delivery.destinationId, this.#parts.engine.clock.now() + EVERY_MS);
  }

  /** The newest first. */
  newest(limit: number, organizationId?: string): readonly SentMail[] {
    const seen = this.#sent.filter((mail) => organizationId === undefined || mail.organizationId === organizationId);
    return seen
      .reverse()
      .slice(0, limit)
      .map(({ at, ...mail }) => ({ ...mail, at: formatInstant(at) }));
  }

  /** What waits for its 10 minutes is sent now. Resolves when it is on disk; what the mail server has not taken goes at the next start. */
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

  /** A disk that is full leaves the losses in the world, to be reported again at the next start. */
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
    // In the canonical log: another wording gives other logs.
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

/** As mail programs open it. What cannot be written stays in the list, which is what counts. */
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
    // A data folder that is full or gone.
  }
}
