/** Inputs of a region: the stream's state, one site of it, and the reader; and the texts of pages. Server and browser draw with the same code. */

import { type Html, html } from '../../base/text/html.ts';
import { NOT_SAFE_STATUSES, SEVERITY_TERMS, type Term } from '../../contract/resources/vocabulary.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { byUrgency } from '../state/alert-order.ts';
import { whatOfPerson, whatText } from '../state/happened.ts';
import { isOpen, markRankOf, type PersonRow, rowsOf, termOfMark } from '../state/people.ts';
import { musterOf, type StreamState } from '../state/state.ts';
import { capital, dayTime, typeWords } from '../state/words.ts';

/** The reader of a page. */
export interface PanelReader {
  /** True if the reader has shown the control token, so that pages offer actions. */
  readonly acts: boolean;
  /** The name of the actor in actions. */
  readonly operator: string;
  readonly filter: string;
  /** True if long lists are shown completely. */
  readonly all: boolean;
  /** With `all`: the sheet of the list that the server draws, from 0. Undefined in a browser, which draws the whole list. */
  readonly sheet?: number;
  /** People are shown individually, or grouped by place. */
  readonly by: 'person' | 'place';
  /** The form of this program's commands on the machine of the sandbox (`CLI` of base/command-form); empty: a page without commands. */
  readonly cli: string;
  /** True if the reader may set the simulated clock. */
  readonly setsClock?: boolean;
  /** What links to objects begin with, before their kind and id. */
  readonly links: string;
}

export const PANEL_LINKS = '/panel';

export interface PanelLook {
  readonly world: StreamState;
  /** Simulated ms since the epoch. */
  readonly now: number;
  readonly reader: PanelReader;
  /** A layer above the people of a map, of a site that may show what no client sees. Absent: none. */
  readonly layer?: (site: StreamSite) => Html;
}

export interface PanelScene extends PanelLook {
  readonly site: StreamSite;
  /** The newest muster of the site. */
  readonly muster: Muster | null;
  /** The muster, if active. */
  readonly active: Muster | null;
  /** All active workers of the site. */
  readonly siteRows: readonly PersonRow[];
  /** Open alerts of the site, most urgent first. */
  readonly alerts: readonly Alert[];
}

const scenes = new WeakMap<PanelLook, Map<string, PanelScene>>();

/** Returns null if there is no such site. Memoised per look. */
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

/** Returns the open alerts of one site, or of all sites. */
export const openAlerts = (world: StreamState, siteId: string | null): Alert[] =>
  [...world.alerts.values()]
    .filter((alert) => isOpen(alert) && (siteId === null || alert.site.id === siteId))
    .sort(byUrgency(world));

/** A command to try; empty on a page without commands. */
export const hint = ({ cli }: PanelReader, about: string, command: string): Html =>
  cli === '' ? html`` : html` ${about}: <code>${cli} ${command}</code>`;

// Texts and symbols of the pages: a status has a glyph and a word in addition to its colour.

/** Order of counters, bars and legends: safe first, then by severity. */
export const RANKS = ['safe', 'rescue', ...NOT_SAFE_STATUSES] as const;

/** For example `Forbidden zone entry`. */
export const inWords = (name: string): string => capital(typeWords(name));

/** What happened to a person, with its sign: those of the alert of who is in no muster, else those of the status. */
export function rowSign(row: PersonRow): Html {
  const rank = markRankOf(row);
  const severity = rank === 'helping' || row.person.status !== null ? undefined : row.alert?.severity;
  return severity === undefined
    ? signView(rank, termOfMark(rank), rowText(row))
    : signView(severity, SEVERITY_TERMS[severity], rowText(row));
}

/** For example `Trapped`, `SOS by button`, `No signal`, `On site`; who is safe is `Safe`, also with an open alert. */
export const rowText = (row: PersonRow): string =>
  row.alert === null || row.person.status !== null ? whatOfPerson(row) : whatText(row.alert);

export const signView = (kind: string, { glyph, word }: Pick<Term, 'glyph' | 'word'>, text = word): Html =>
  html`<span class="fare ${kind}"><i aria-hidden="true">${glyph}</i> ${text}</span>`;

/** Time of day, UTC; the tooltip has the full time. */
export const timeOf = (iso: string | null): Html =>
  iso === null ? html`<span class="dim">never</span>` : html`<time title="${iso}">${dayTime(iso)}</time>`;

/** Date and time, for times that may be on another day. */
export const momentOf = (iso: string | null): Html =>
  iso === null ? html`-` : html`<time title="${iso}">${iso.slice(0, 10)} ${dayTime(iso)}</time>`;

export const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

/** How long ago, such as `12 s`, `3 min`, `2 h 5 min`, `4 d`; the input is in ms. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`;
}

/** The browser updates the age each second, from the attribute. */
export const ageOf = (iso: string, now: number): Html =>
  html`<span class="age" data-since="${Date.parse(iso)}">${ageText(now - Date.parse(iso))}</span>`;
