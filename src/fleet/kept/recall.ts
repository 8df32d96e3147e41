/** Reads the stored documents of a fleet by their schemas. A document that cannot be read is skipped and reported. */
import { type Static, type TSchema, Type } from 'typebox';
import type { Instant } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { type Checked, check } from '../../contract/check.ts';
import { inline, whole } from '../../contract/shapes.ts';
import { UPLINK_EVENT_KINDS, UPLINK_EVENTS, WatchPosition } from '../../contract/watch.ts';
import type { KeptItem } from '../connection/outbox.ts';
import { KeptPerson, KeptSite, KeptWatch, Moment } from './documents.ts';
import { type FleetMemory, HEAD_KEY, MEMORY_VERSION } from './memory.ts';

export const KeptHead = inline({
  version: whole(1),
  /** The simulated time up to which people were simulated. */
  at: Moment,
});
export type KeptHead = Static<typeof KeptHead>;

const KeptEvent = inline({
  is: Type.Literal('event'),
  kind: Type.Enum([...UPLINK_EVENT_KINDS], { type: 'string' }),
  id: Type.String(),
  at: Moment,
  fields: Type.Unsafe<Record<string, unknown>>(Type.Object({})),
});

const KeptPosition = inline({ is: Type.Literal('position'), fix: Type.Object({}) });

/** The documents that could be read. */
export interface Recalled {
  /** The simulated time up to which people were simulated. */
  readonly at: Instant;
  readonly sites: ReadonlyMap<string, KeptSite>;
  /** People by the serial of the watch with which they began. */
  readonly persons: ReadonlyMap<string, KeptPerson>;
  /** Watches by serial. */
  readonly watches: ReadonlyMap<string, KeptWatch>;
  /** The messages that watches had not yet delivered, by serial, in the order of their numbers. */
  readonly items: ReadonlyMap<string, readonly (readonly [number, KeptItem])[]>;
  /** One sentence for each document that could not be read. */
  readonly unreadable: readonly string[];
}

/** The simulated time up to which the people of a memory were simulated; null if none were, or if it cannot be read. */
export function keptUntil({ recalled }: FleetMemory): Instant | null {
  const head = read(KeptHead, recalled.get(HEAD_KEY) ?? 'null');
  return head.ok ? head.value.at : null;
}

/** Returns null if nothing was stored. A memory of another version counts as unreadable as a whole. */
export function recall(texts: ReadonlyMap<string, string>): Recalled | null {
  if (texts.size === 0) return null;
  const unreadable: string[] = [];
  /** The value; null if it cannot be read, which is reported. */
  const valueOrReport = <T>(key: string, found: Checked<T>): T | null => {
    if (found.ok) return found.value;
    unreadable.push(`${key}: ${found.errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; ')}`);
    return null;
  };
  const head = valueOrReport(HEAD_KEY, read(KeptHead, texts.get(HEAD_KEY) ?? 'null'));
  if (head !== null && head.version !== MEMORY_VERSION)
    unreadable.push(`${HEAD_KEY}: it is of version ${head.version}, and this sandbox reads ${MEMORY_VERSION}`);
  if (unreadable.length > 0 || head === null) return nothingRecalled(unreadable);
  const sites = new Map<string, KeptSite>();
  const persons = new Map<string, KeptPerson>();
  const watches = new Map<string, KeptWatch>();
  const items = new Map<string, (readonly [number, KeptItem])[]>();
  let at = head.at;
  for (const [key, text] of texts) {
    const [kind, name = '', number = ''] = key.split('/');
    if (kind === 'site') take(sites, name, valueOrReport(key, read(KeptSite, text)));
    else if (kind === 'watch') take(watches, name, valueOrReport(key, read(KeptWatch, text)));
    else if (kind === 'person') {
      const person = valueOrReport(key, read(KeptPerson, text));
      take(persons, name, person);
      at = Math.max(at, person?.asOf ?? at);
    } else if (kind === 'item') {
      const item = valueOrReport(key, readItem(text));
      if (item !== null) items.set(name, [...(items.get(name) ?? []), [Number(number), item]]);
    }
  }
  for (const own of items.values()) own.sort(([a], [b]) => a - b);
  return { at, sites, persons, watches, items, unreadable };
}

const nothingRecalled = (unreadable: readonly string[]): Recalled => ({
  at: 0,
  sites: new Map(),
  persons: new Map(),
  watches: new Map(),
  items: new Map(),
  unreadable,
});

function take<V>(map: Map<string, V>, key: string, value: V | null): void {
  if (value !== null) map.set(key, value);
}

const unreadableAs = (detail: string): Checked<never> => ({ ok: false, errors: [{ pointer: '', detail }] });

function read<S extends TSchema>(schema: S, text: string): Checked<Static<S>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return unreadableAs('it is not JSON');
  }
  return check(schema, parsed);
}

// A message is checked against the schema of the wire: an invalid one would be dropped there, and the button press with
// it.
function readItem(text: string): Checked<KeptItem> {
  const event = read(KeptEvent, text);
  if (event.ok) {
    const { kind, id, at, fields } = event.value;
    const message = { id, session: 1, seq: 1, t: formatInstant(at), ...fields };
    return check(UPLINK_EVENTS[kind], message).ok ? event : unreadableAs(`it is no ${kind} message`);
  }
  const position = read(KeptPosition, text);
  if (!position.ok) return event;
  const { fix } = position.value;
  if (!check(WatchPosition, { session: 1, seq: 1, ...fix }).ok) return unreadableAs('it is no position');
  return { ok: true, value: position.value as KeptItem };
}
