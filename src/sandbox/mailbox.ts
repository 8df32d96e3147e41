/** The e-mails about deliveries that were given up: one per destination per 10 minutes, with each lost id, to the company's technical contact. [spec 6.6, decisions 7] */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SentMail } from '../api/route.ts';
import { type Cancel, LANE } from '../base/clock.ts';
import { idFrom } from '../base/ids.ts';
import { formatInstant } from '../base/instants.ts';
import { plural } from '../contract/sentences.ts';
import type { Delivery } from '../domain/world/documents.ts';
import type { Engine } from '../engine/engine.ts';

const EVERY_MS = 10 * 60_000;

/** Mails that are kept for those who ask; the oldest give way. */
const MOST_KEPT = 1_000;

const FROM = 'sandbox@localhost';

/** A mail as it was sent. */
export interface Mail extends SentMail {
  readonly organizationId: string;
}

interface Window {
  readonly cancel: Cancel;
  readonly lost: Delivery[];
}

export interface MailboxParts {
  readonly engine: Engine;
  /** Where each mail lies as an .eml file; null: nowhere. */
  readonly folder: string | null;
}

export class Mailbox {
  readonly #parts: MailboxParts;
  readonly #sent: Mail[] = [];
  /** By destination, while its 10 minutes run. */
  readonly #windows = new Map<string, Window>();

  constructor(parts: MailboxParts) {
    this.#parts = parts;
  }

  /** Reports a lost delivery: at once, or with the others when the 10 minutes of its destination are over. */
  lost(delivery: Delivery): void {
    const window = this.#windows.get(delivery.destinationId);
    if (window !== undefined) {
      window.lost.push(delivery);
      return;
    }
    this.#send([delivery]);
    this.#begin(delivery.destinationId);
  }

  /** The newest first. */
  newest(limit: number, organizationId?: string): readonly Mail[] {
    const seen = this.#sent.filter((mail) => organizationId === undefined || mail.organizationId === organizationId);
    return seen.reverse().slice(0, limit);
  }

  /** What waits is sent now. Idempotent. */
  stop(): void {
    const windows = [...this.#windows.values()];
    this.#windows.clear();
    for (const { cancel, lost } of windows) {
      cancel();
      this.#send(lost);
    }
  }

  #begin(destinationId: string): void {
    const { clock } = this.#parts.engine;
    const lost: Delivery[] = [];
    const over = () => {
      this.#windows.delete(destinationId);
      if (lost.length === 0) return;
      this.#send(lost);
      this.#begin(destinationId);
    };
    const cancel = clock.at(clock.now() + EVERY_MS, { lane: LANE.rest, actor: `mail ${destinationId}` }, over);
    this.#windows.set(destinationId, { cancel, lost });
  }

  #send(lost: readonly Delivery[]): void {
    const { engine, folder } = this.#parts;
    const { world, clock } = engine;
    const [first] = lost;
    const destination = first === undefined ? undefined : world.get('destination', first.destinationId);
    if (first === undefined || destination === undefined) return;
    const { id: organizationId, technicalContact: to } = world.need('organization', destination.organizationId);
    const mail: Mail = {
      id: idFrom('mail', first.id, lost.length),
      at: formatInstant(clock.now()),
      organizationId,
      to,
      subject: `${plural(lost.length, 'event')} could not be delivered to ${new URL(destination.url).host}`,
      text: textOf(destination.url, lost),
    };
    this.#sent.push(mail);
    if (this.#sent.length > MOST_KEPT) this.#sent.shift();
    if (folder !== null) keep(folder, mail);
    const { id, at, subject, text } = mail;
    engine.notify({ kind: 'mail-sent', at, id, organization_id: organizationId, to, subject, text });
  }
}

function textOf(url: string, lost: readonly Delivery[]): string {
  const lines = lost.map(({ eventId, eventType, eventAt }) => `  ${eventId}  ${eventType}  ${formatInstant(eventAt)}`);
  const oldest = Math.min(...lost.map(({ eventAt }) => eventAt));
  return [
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
function keep(folder: string, { id, at, to, subject, text }: Mail): void {
  const date = at.replace(/[:.]/g, '-');
  const head = [
    `From: ${FROM}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `X-Sandbox-Date: ${at}`,
    `Message-ID: <${id}@localhost>`,
  ];
  const whole = [...head, 'Content-Type: text/plain; charset=utf-8', '', ...text.split('\n')].join('\r\n');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${date}-${id.slice(0, 8)}.eml`), whole);
  } catch {
    // The list in memory is complete; the file is a convenience.
  }
}
