/** Reads the stream of a sandbox. After a broken connection it resumes after the last message. [decisions 9] */

import { Outage } from '../base/assert.ts';
import { fetchTrusting, tlsFix } from '../base/network/trusting-fetch.ts';
import { CLI } from '../base/text/command-form.ts';
import { later } from '../base/time/timers.ts';
import type { StreamChange, StreamSnapshot } from '../contract/stream.ts';
import { type SandboxAccess, StreamToken } from './pass.ts';
import type { Connection } from './view.ts';

/** Least time between two renewals of a token; wall ms. */
const LEAST_MS = 1_000;
/** Back-off; the last delay repeats. Wall ms. */
const RETRY_MS = [250, 500, 1_000, 2_000] as const;
/** Idle timeout: longer than two intervals of the pings, which come every 15 s. Wall ms. */
const IDLE_MS = 40_000;

interface SseEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Parses Server-Sent Events from pieces of text that may be split at any position. */
export class EventReader {
  #rest = '';

  /** The events that this piece completes. */
  take(text: string): SseEvent[] {
    const blocks = `${this.#rest}${text}`.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const fields = new Map<string, string>();
      for (const line of block.split('\n')) {
        const colon = line.indexOf(':');
        if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
      }
      const data = fields.get('data');
      return data === undefined
        ? []
        : [{ id: fields.get('id') ?? null, event: fields.get('event') ?? 'message', data }];
    });
  }
}

interface StreamHandler {
  readonly snapshot: (snapshot: StreamSnapshot) => void;
  readonly change: (change: StreamChange) => void;
  readonly connection: (connection: Connection) => void;
}

export interface OpenStream {
  /** Reconnects with or without ground truth, and resumes without a gap. */
  reopen(options: { readonly truth: boolean }): void;
  close(): void;
}

/** Reads until it is closed. `find` is called before each attempt, because a restarted sandbox may have another port; it may throw. */
export function openStream(find: () => SandboxAccess, handler: StreamHandler): OpenStream {
  const pass = new StreamToken();
  let lastId: string | null = null;
  let truth = false;
  let tries = 0;
  let isClosed = false;
  /** True if the connection was closed intentionally, in order to open another one at once. */
  let isReopening = false;
  let cancelRetry = () => {};
  let connection = new AbortController();

  const request = async (access: SandboxAccess): Promise<Response> => {
    const bearer = await pass.of(access);
    return await fetchTrusting(access.ca, `${access.apiUrl}/v1/sandbox/stream${truth ? '?truth=true' : ''}`, {
      headers: { authorization: `Bearer ${bearer}`, ...(lastId === null ? {} : { 'last-event-id': lastId }) },
      signal: connection.signal,
    });
  };

  /** Reads one connection to its end; resolves to the reason of the end. */
  const readOnce = async (): Promise<string> => {
    const access = find();
    connection = new AbortController();
    const watchdog = startWatchdog(() => connection.abort());
    let stopRenewing = () => {};
    try {
      let response = await request(access);
      if (response.status === 401 && pass.drop()) {
        await response.body?.cancel();
        response = await request(access);
      }
      if (response.status !== 200 || response.body === null) {
        await response.body?.cancel();
        pass.drop();
        return `The sandbox at ${access.apiUrl} answered ${response.status}.`;
      }
      if (Number.isFinite(pass.leftMs))
        stopRenewing = later(Math.max(LEAST_MS, pass.leftMs), reconnect, { unref: true });
      const reader = new EventReader();
      const decoder = new TextDecoder();
      let isOpen = false;
      for await (const piece of response.body) {
        watchdog.reset();
        for (const { id, event, data } of reader.take(decoder.decode(piece as Uint8Array, { stream: true }))) {
          if (event === 'snapshot') handler.snapshot(JSON.parse(data) as StreamSnapshot);
          else if (event === 'change') handler.change(JSON.parse(data) as StreamChange);
          if (id !== null) lastId = id;
        }
        if (isOpen) continue;
        isOpen = true;
        tries = 0;
        handler.connection({ is: 'open' });
      }
      return `The sandbox at ${access.apiUrl} has hung up.`;
    } finally {
      watchdog.stop();
      stopRenewing();
    }
  };

  const read = async (): Promise<void> => {
    let why: string;
    isReopening = false;
    try {
      why = await readOnce();
    } catch (error) {
      why = reasonOf(error);
    }
    if (isClosed) return;
    if (isReopening) return void read();
    tries += 1;
    handler.connection({ is: 'broken', why, tries });
    const wait = RETRY_MS[Math.min(tries, RETRY_MS.length) - 1] as number;
    cancelRetry = later(wait, () => void read());
  };

  const reconnect = (): void => {
    isReopening = true;
    connection.abort();
  };

  handler.connection({ is: 'opening' });
  void read();
  return {
    reopen: (options) => {
      if (options.truth === truth) return;
      truth = options.truth;
      reconnect();
    },
    close: () => {
      isClosed = true;
      cancelRetry();
      connection.abort();
    },
  };
}

function startWatchdog(expired: () => void): { reset(): void; stop(): void } {
  let cancel = later(IDLE_MS, expired, { unref: true });
  return {
    reset: () => {
      cancel();
      cancel = later(IDLE_MS, expired, { unref: true });
    },
    stop: () => cancel(),
  };
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'AbortError') return 'The sandbox has gone silent.';
  if (cause?.code === 'ECONNREFUSED') return 'The sandbox does not answer: it has stopped, or is not there yet.';
  if (cause?.message === undefined) return message;
  const fix = tlsFix(cause.code ?? '');
  return `The connection to the sandbox broke: ${cause.message}.${fix === null ? '' : ` ${fix}`}`;
}

/** Sends one call to the sandbox; returns null on success, else the sandbox's message. */
export async function ask(
  { apiUrl, ca, controlToken }: SandboxAccess,
  path: string,
  body: unknown,
): Promise<string | null> {
  try {
    const response = await fetchTrusting(ca, `${apiUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { detail?: string; title?: string };
    return response.status < 300 ? null : (answer.detail ?? answer.title ?? `The sandbox answered ${response.status}.`);
  } catch (error) {
    return reasonOf(error);
  }
}

/** Returns only the snapshot. Throws if the sandbox does not reply. */
export async function snapshotOf(access: SandboxAccess): Promise<StreamSnapshot> {
  const { apiUrl, ca } = access;
  let answer: { readonly status: number; readonly text: string };
  try {
    const response = await fetchTrusting(ca, `${apiUrl}/v1/sandbox/stream?once=true`, {
      headers: { authorization: `Bearer ${await new StreamToken().of(access)}` },
    });
    answer = { status: response.status, text: await response.text() };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    const fix = tlsFix(cause?.code ?? '') ?? `Is it still running? Start one with: ${CLI} up`;
    throw new Outage({ code: 'not_reachable', message: reasonOf(error), fix });
  }
  const event = new EventReader().take(answer.text)[0];
  if (event === undefined)
    throw new Outage({
      code: 'refused',
      message: `The sandbox at ${apiUrl} answered ${answer.status}.`,
      fix: `Check SANDBOX_URL and SANDBOX_CONTROL_TOKEN: both are in the ready line of ${CLI} up.`,
    });
  return JSON.parse(event.data) as StreamSnapshot;
}
