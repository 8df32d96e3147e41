/** Listens to the stream of a sandbox: reads its events, and comes back with the last id when it breaks off. [decisions 9] */
import { later } from '../base/timers.ts';
import type { StreamChange, StreamSnapshot } from '../contract/stream.ts';
import { type Door, Pass } from './pass.ts';
import type { Connection } from './view.ts';

/** A token is used for so long at least; wall ms. */
const LEAST_MS = 1_000;

export interface StreamEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Wall ms between two tries; the last one stays. */
const RETRY_MS = [250, 500, 1_000, 2_000] as const;
/** The stream pings every 15 s: after more than two of them missed it is dead. Wall ms. */
const SILENCE_MS = 40_000;

/** Server-Sent Events from pieces of text, however they are cut. */
export class EventReader {
  #rest = '';

  /** The events that are whole now. */
  take(text: string): StreamEvent[] {
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

export interface Listener {
  readonly snapshot: (snapshot: StreamSnapshot) => void;
  readonly change: (change: StreamChange) => void;
  readonly connection: (connection: Connection) => void;
}

export interface Listening {
  /** The stream is opened again, with ground truth or without; nothing of what was told is lost. */
  reopen(options: { readonly truth: boolean }): void;
  close(): void;
}

/** Listens until it is closed. `find` is asked before each try: a sandbox that came back may have another port; it may throw. */
export function listen(find: () => Door, listener: Listener): Listening {
  const pass = new Pass();
  let lastId: string | null = null;
  let truth = false;
  let tries = 0;
  let isClosed = false;
  /** Hung up to be opened anew: nothing is broken. */
  let isMeant = false;
  let stopWaiting = () => {};
  let hangUp = new AbortController();

  const ring = async (door: Door): Promise<Response> => {
    const bearer = await pass.of(door);
    return await fetch(`${door.apiUrl}/v1/sandbox/stream${truth ? '?truth=true' : ''}`, {
      headers: { authorization: `Bearer ${bearer}`, ...(lastId === null ? {} : { 'last-event-id': lastId }) },
      signal: hangUp.signal,
    });
  };

  const once = async (): Promise<string> => {
    const door = find();
    hangUp = new AbortController();
    const silence = watchdog(() => hangUp.abort());
    let stopRenewing = () => {};
    try {
      let response = await ring(door);
      if (response.status === 401 && pass.drop()) {
        await response.body?.cancel();
        response = await ring(door);
      }
      if (response.status !== 200 || response.body === null) {
        await response.body?.cancel();
        pass.drop();
        return `The sandbox at ${door.apiUrl} answered ${response.status}.`;
      }
      if (Number.isFinite(pass.leftMs)) stopRenewing = later(Math.max(LEAST_MS, pass.leftMs), renew, { unref: true });
      const reader = new EventReader();
      const decoder = new TextDecoder();
      let isOpen = false;
      for await (const piece of response.body) {
        silence.heard();
        for (const { id, event, data } of reader.take(decoder.decode(piece as Uint8Array, { stream: true }))) {
          if (event === 'snapshot') listener.snapshot(JSON.parse(data) as StreamSnapshot);
          else if (event === 'change') listener.change(JSON.parse(data) as StreamChange);
          if (id !== null) lastId = id;
        }
        if (isOpen) continue;
        isOpen = true;
        tries = 0;
        listener.connection({ is: 'open' });
      }
      return `The sandbox at ${door.apiUrl} has hung up.`;
    } finally {
      silence.end();
      stopRenewing();
    }
  };

  const again = async (): Promise<void> => {
    let why: string;
    isMeant = false;
    try {
      why = await once();
    } catch (error) {
      why = reasonOf(error);
    }
    if (isClosed) return;
    if (isMeant) return void again();
    tries += 1;
    listener.connection({ is: 'broken', why, tries });
    const wait = RETRY_MS[Math.min(tries, RETRY_MS.length) - 1] as number;
    stopWaiting = later(wait, () => void again());
  };

  const renew = (): void => {
    isMeant = true;
    hangUp.abort();
  };

  listener.connection({ is: 'opening' });
  void again();
  return {
    reopen: (options) => {
      if (options.truth === truth) return;
      truth = options.truth;
      renew();
    },
    close: () => {
      isClosed = true;
      stopWaiting();
      hangUp.abort();
    },
  };
}

function watchdog(bite: () => void): { heard(): void; end(): void } {
  let cancel = later(SILENCE_MS, bite, { unref: true });
  return {
    heard: () => {
      cancel();
      cancel = later(SILENCE_MS, bite, { unref: true });
    },
    end: () => cancel(),
  };
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'AbortError') return 'The sandbox has gone silent.';
  if (cause?.code === 'ECONNREFUSED') return 'The sandbox does not answer: it has stopped, or is not there yet.';
  return cause?.message === undefined ? message : `The connection to the sandbox broke: ${cause.message}.`;
}

/** One call of the sandbox; null where it did what was asked, else its own words. */
export async function ask({ apiUrl, controlToken }: Door, path: string, body: unknown): Promise<string | null> {
  try {
    const response = await fetch(`${apiUrl}${path}`, {
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

/** Everything as it is now, and no more. Throws where the sandbox does not answer. */
export async function snapshotOf(door: Door): Promise<StreamSnapshot> {
  const { apiUrl } = door;
  let answer: { readonly status: number; readonly text: string };
  try {
    const response = await fetch(`${apiUrl}/v1/sandbox/stream?once=true`, {
      headers: { authorization: `Bearer ${await new Pass().of(door)}` },
    });
    answer = { status: response.status, text: await response.text() };
  } catch (error) {
    throw new Error(reasonOf(error));
  }
  const event = new EventReader().take(answer.text)[0];
  if (event === undefined) throw new Error(`The sandbox at ${apiUrl} answered ${answer.status}.`);
  return JSON.parse(event.data) as StreamSnapshot;
}
