/** All that a region of a page is drawn from: the stream's state, one site of it, and who looks. The server and the browser draw by the same code. */
import type { Alert, Muster } from '../../contract/resources.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { byUrgency, isOpen, type PersonRow, rowsOf } from '../../watching/people.ts';
import { musterOf, type StreamState } from '../../watching/state.ts';

/** Who looks at a page. */
export interface PanelReader {
  /** Whether they have shown the control token: then a page offers what the control room may do. */
  readonly acts: boolean;
  /** Whose name stands in what they do. */
  readonly operator: string;
  readonly filter: string;
  /** All of a long list. */
  readonly all: boolean;
  /** The list of people: one by one, or grouped by their place. */
  readonly by: 'person' | 'place';
}

/** A state of the stream at a moment. */
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
  /** It, while it is under way. */
  readonly active: Muster | null;
  /** All active workers of the site. */
  readonly everybody: readonly PersonRow[];
  /** Open alerts of the site, the newest first. */
  readonly alerts: readonly Alert[];
}

const scenes = new WeakMap<PanelLook, Map<string, PanelScene>>();

/** Null for a site that there is not. Derived once for all that is drawn of a look. */
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
  return { ...look, site, muster, active, everybody: rowsOf(world, site, active, alerts), alerts };
}

/** Of one site, or of all. */
export const openAlerts = (world: StreamState, siteId: string | null): Alert[] =>
  [...world.alerts.values()]
    .filter((alert) => isOpen(alert) && (siteId === null || alert.site.id === siteId))
    .sort(byUrgency);
