/**
 * The missing list as text, joined from memoised pieces. To render and serialise every entry again would take twice as long. The text equals
 * that of `missingView`. [spec 4.5]
 */
import { formatInstant } from '../../../base/time/instants.ts';
import type { DeviceRef, MissingWorker } from '../../../contract/resources.ts';
import type { Viewer } from '../../domain/access/viewer.ts';
import { type Missing, missingView } from '../../domain/views/muster.ts';
import { lastSeenAt } from '../../domain/watches/contact.ts';
import type { Fix } from '../../domain/world/embedded.ts';
import type { World } from '../../domain/world/world.ts';
import { Raw } from './raw.ts';

/** The viewer, and whether the viewer may see positions. */
interface MissingListViewer {
  readonly viewer: Viewer;
  readonly positions: boolean;
  /** True if the key `location` is left out. [gap missing-without-positions] */
  readonly isLeftOut: boolean;
}

/**
 * The text of an entry at the last request, and the inputs from which it was made. One text per entry is enough, since
 * a company has one client.
 */
interface MemoisedEntry {
  person: Missing['person'];
  worker: Missing['worker'];
  device: Missing['device'];
  telemetry: Missing['telemetry'];
  fix: Fix | null;
  needsRescue: boolean;
  visible: boolean;
  names: boolean;
  positions: boolean;
  /** Version of the site's zones, since the text has zone names and depends on the zones that hide people. */
  zones: number;
  /** The text around the battery and the time of the last contact, which change with each report. */
  pieces: Pieces;
  text: string;
}

interface Pieces {
  /** The text before the battery. */
  readonly who: string;
  /** The text from the status to `last_seen_at`. */
  readonly status: string;
  /** The text after the value of `last_seen_at`. */
  readonly place: string;
}

/** The entries by worker, for the people of each muster. They are garbage-collected with these people. */
const entries = new WeakMap<ReadonlyMap<string, unknown>, Map<string, MemoisedEntry>>();

/** Documents are replaced and never edited, so the same ones make the same text. */
export function missingList(world: World, musterId: string, missing: readonly Missing[], look: MissingListViewer): Raw {
  const people = world.indexes.expectedIn(musterId);
  let known = entries.get(people);
  if (known === undefined) {
    known = new Map();
    entries.set(people, known);
  }
  const texts: string[] = [];
  for (const one of missing) texts.push(textOf(world, known, one, look));
  return new Raw(Buffer.from(`{"data":[${texts.join(',')}]}`));
}

function textOf(world: World, known: Map<string, MemoisedEntry>, one: Missing, look: MissingListViewer): string {
  const zones = world.indexes.zonesOfSite.of(one.worker.siteId).version;
  const entry = known.get(one.worker.id);
  if (entry === undefined || !isSame(entry, one, look, zones)) {
    const made = entryOf(world, one, look, zones);
    known.set(one.worker.id, made);
    return made.text;
  }
  if (entry.telemetry !== one.telemetry) {
    entry.telemetry = one.telemetry;
    entry.text = together(entry.pieces, one);
  }
  return entry.text;
}

/** True if nothing but the battery and the time of the last contact can have changed. */
const isSame = (entry: MemoisedEntry, one: Missing, { viewer, positions }: MissingListViewer, zones: number): boolean =>
  entry.person === one.person &&
  entry.worker === one.worker &&
  entry.device === one.device &&
  entry.fix === (one.telemetry?.fix ?? null) &&
  entry.needsRescue === one.needsRescue &&
  entry.visible === one.visible &&
  entry.names === viewer.names &&
  entry.positions === positions &&
  entry.zones === zones;

function entryOf(world: World, one: Missing, look: MissingListViewer, zones: number): MemoisedEntry {
  const { viewer, positions, isLeftOut } = look;
  const pieces = piecesOf(missingView(world, one, viewer, positions), isLeftOut);
  const { person, worker, device, telemetry, needsRescue, visible } = one;
  const fix = telemetry?.fix ?? null;
  const text = together(pieces, one);
  const { names } = viewer;
  return { person, worker, device, telemetry, fix, needsRescue, visible, names, positions, zones, pieces, text };
}

/**
 * Splits the view, in the order of its own keys, around the battery and the times of the last contact. A field of the
 * view that is not named here is a compile error, because the rest must be empty.
 */
function piecesOf({ worker, device, last_seen_at: _, ...view }: MissingWorker, isLeftOut: boolean): Pieces {
  const { status, needs_rescue, help_reason, assembly_point, declared_at, ...end } = view;
  const { location, location_withheld, ...none } = end;
  none satisfies Record<string, never>;
  const rest = JSON.stringify({ status, needs_rescue, help_reason, assembly_point, declared_at });
  return {
    who: `{"worker":${JSON.stringify(worker)},"device":${device === null ? 'null' : beforeBattery(device)}`,
    status: `,${rest.slice(1, -1)},"last_seen_at":`,
    place: `,${JSON.stringify(isLeftOut ? { location_withheld } : { location, location_withheld }).slice(1)}`,
  };
}

/** A new field of the reference to a device is a compile error here too, until it is placed. */
function beforeBattery({ id, serial, battery: _, date_last_seen: __, ...none }: DeviceRef): string {
  none satisfies Record<string, never>;
  return `{"id":"${id}","serial":${JSON.stringify(serial)},"battery":`;
}

function together({ who, status, place }: Pieces, { device, telemetry }: Missing): string {
  if (device === null || telemetry === null) return `${who}${status}null${place}`;
  const at = lastSeenAt(telemetry);
  const seen = at === null ? 'null' : `"${formatInstant(at)}"`;
  return `${who}${telemetry.batteryPct},"date_last_seen":${seen}}${status}${seen}${place}`;
}
