/** Inputs of a region: the stream's state, one site of it, and the reader. Server and browser draw with the same code. */
import type { Alert, Muster } from '../../contract/resources.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { byUrgency, isOpen, type PersonRow, rowsOf } from '../../watching/people.ts';
import { musterOf, type StreamState } from '../../watching/state.ts';

/** The reader of a page. */
export interface PanelReader {
  /** The reader has shown the control token, so pages offer actions. */
  readonly acts: boolean;
  /** Named as the actor of actions. */
  readonly operator: string;
  readonly filter: string;
  /** Long lists are shown whole. */
  readonly all: boolean;
  /** People one by one, or grouped by place. */
  readonly by: 'person' | 'place';
}

export interface PanelLook {
  readonly world: StreamState;
  /** Simulated ms since the epoch. */
  readonly now: number;
  readonly reader: PanelReader;
}

export interface PanelScene extends PanelLook {
  readonly site: StreamSite;
  /** The newest of the site. */
  readonly muster: Muster | null;
  /** The muster, if active. */
  readonly active: Muster | null;
  /** All active workers of the site. */
  readonly siteRows: readonly PersonRow[];
  /** Open alerts of the site, most urgent first. */
  readonly alerts: readonly Alert[];
}

const scenes = new WeakMap<PanelLook, Map<string, PanelScene>>();

/** Null: no such site. Memoised per look. */
export function sceneOf(look: PanelLook, siteId: string): PanelScene | null {
  let known = scenes.get(look);
  if (known === undefined) {
    known = new Map();
    scenes.set(look, known);
  }
  let scene = known.get(siteId) ?? null;
  if (scene === null) {
    scene = derived(look, siteId);
    if (scene !== null) known.set(siteId, scene);
  }
  return scene;
}

function derived(look: PanelLook, siteId: string): PanelScene | null {
  const { world } = look;
  const site = world.sites.get(siteId);
  if (site === undefined) return null;
  const muster = musterOf(world, siteId);
  const active = muster?.status === 'active' ? muster : null;
  const alerts = openAlerts(world, siteId);
  return { ...look, site, muster, active, siteRows: rowsOf(world, site, active, alerts), alerts };
}

/** Of one site, or of all. */
export const openAlerts = (world: StreamState, siteId: string | null): Alert[] =>
  [...world.alerts.values()]
    .filter((alert) => isOpen(alert) && (siteId === null || alert.site.id === siteId))
    .sort(byUrgency);
