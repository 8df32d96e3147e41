/** Sends e-mails to a mail server (`--smtp`), and retries while the server is unavailable. [decisions 7, cli up] */
import type { Clock } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { ContactMail } from '../../service/domain/world/documents.ts';

/** Waits between the attempts; the last value repeats. Milliseconds of wall time. */
const AGAIN_MS = [5_000, 30_000, 120_000, 600_000] as const;

/** A server that does not answer within this time counts as unavailable; milliseconds of wall time. */
const PATIENCE_MS = 10_000;

export type OutgoingMail = Pick<ContactMail, 'id' | 'at' | 'to' | 'subject' | 'text'> & { readonly from: string };

interface PostOfficeParts {
  readonly clock: Clock;
  readonly server: URL;
  /** `again`: true if the mail will be retried; false if the server refused this mail permanently. */
  readonly onFailed: (mail: OutgoingMail, why: string, again: boolean) => void;
}

/** The part of nodemailer's transport that is used. */
interface Transport {
  sendMail(mail: object): Promise<unknown>;
  verify(): Promise<unknown>;
  close(): void;
}

export class PostOffice {
  readonly #parts: PostOfficeParts;
  readonly #transport: Transport;
  readonly #cancels = new Set<() => void>();
  #closed = false;

  private constructor(parts: PostOfficeParts, transport: Transport) {
    this.#parts = parts;
    this.#transport = transport;
  }

  /** Loads nodemailer only here, because few users need it. */
  static async open(parts: PostOfficeParts): Promise<PostOffice> {
    const { createTransport } = await import('nodemailer');
    const { server } = parts;
    const isSecure = server.protocol === 'smtps:';
    const transport = createTransport({
      host: server.hostname.replace(/^\[|\]$/g, ''),
      port: Number(server.port || (isSecure ? 465 : 25)),
      secure: isSecure,
      ...(server.username === ''
        ? {}
        : { auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) } }),
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
      socketTimeout: PATIENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return new PostOffice(parts, transport);
  }

  /** Returns null if the server answers and accepts the login; otherwise the reason. */
  async objection(): Promise<string | null> {
    try {
      await this.#transport.verify();
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /**
   * Calls `taken` once the server has the mail. Delivery is at least once: after a crash between the two, the mail is
   * posted again with the same Message-ID.
   */
  post(mail: OutgoingMail, taken: () => void, failures = 0): void {
    if (this.#closed) return;
    const { id, at, from, to, subject, text } = mail;
    this.#transport
      .sendMail({
        from,
        to,
        subject,
        text,
        messageId: `<${id}@localhost>`,
        headers: { 'X-Sandbox-Date': formatInstant(at) },
      })
      .then(taken, (error: Error & { responseCode?: number }) => {
        if (this.#closed) return;
        const again = (error.responseCode ?? 0) < 500;
        this.#parts.onFailed(mail, error.message, again);
        if (!again) return taken();
        const cancel = this.#parts.clock.afterWall(AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)]!, () => {
          this.#cancels.delete(cancel);
          this.post(mail, taken, failures + 1);
        });
        this.#cancels.add(cancel);
      });
  }

  close(): void {
    this.#closed = true;
    for (const cancel of this.#cancels) cancel();
    this.#transport.close();
  }
}
