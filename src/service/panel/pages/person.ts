/** The page of one worker: facts, map, open alerts, and a timeline of the watch, the alerts and the musters. [decisions 4] */

import { type Html, html } from '../../../base/text/html.ts';
import type { Instant } from '../../../base/time/clock.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import type { HelpReason } from '../../../contract/enumerations.ts';
import type { CountedStatus } from '../../../contract/resources/headcount.ts';
import { HELP_REASON_WORDS, PERSON_TERMS } from '../../../contract/resources/vocabulary.ts';
import { regionSection } from '../../../watching/regions/regions.ts';
import { momentOf, type PanelLook } from '../../../watching/regions/scene.ts';
import { placeOf } from '../../../watching/state/places.ts';
import { alertsOf } from '../../domain/alerts/alerts-of.ts';
import { linesOf } from '../../domain/musters/roll-rows.ts';
import { shownLocation } from '../../domain/privacy/places.ts';
import { alertView } from '../../domain/views/alert.ts';
import { personState } from '../../domain/views/person.ts';
import { siteMapView } from '../../domain/views/plant.ts';
import { location } from '../../domain/views/references.ts';
import type { Device, Worker } from '../../domain/world/documents.ts';
import { expectedId, type Muster } from '../../domain/world/muster-documents.ts';
import type { World as Plant } from '../../domain/world/world.ts';
import type { PanelPage } from '../document.ts';
import { panelUser } from './overview.ts';

/** Maximum number of entries of a timeline. */
const MOST_ENTRIES = 60;
/** Maximum number of musters and alerts that are read, newest first; entries of older ones would not fit. */
const MOST_OBJECTS = 20;

/** The worker in the view of a panel user. */
export function personPage(look: PanelLook, plant: Plant, workerId: string): PanelPage | null {
  const worker = look.world.workers.get(workerId);
  if (worker === undefined) return null;
  const site = worker.site_id;
  const about = { site, worker: workerId };
  return {
    title: worker.name ?? worker.external_id ?? 'Worker',
    site,
    actions: regionSection('person-actions', look, about),
    main: html`<div class="split"><div>${regionSection('person', look, about)}${regionSection('alerts', look, about)}<section class="log"><div class="head"><h2>Timeline</h2><a href="/panel/deliveries?worker=${workerId}">Deliveries</a></div><div id="timeline" data-changes="person ${workerId}" data-part="timeline">${personPart(plant, workerId, look.now)}</div></section></div>${regionSection('map', look, { ...about, size: 'large' })}</div>`,
  };
}

interface PersonEntry {
  readonly at: Instant;
  readonly what: Html;
  readonly by: string | null;
  readonly reason: string | null;
}

/** Fetched again when the worker or a related object changes; newest first. Returns null if there is no such worker. */
export function personPart(plant: Plant, workerId: string, now: Instant): Html | null {
  const worker = plant.get('worker', workerId);
  if (worker === undefined) return null;
  const device = worker.deviceId === null ? undefined : plant.get('device', worker.deviceId);
  const entries = [
    ...(device === undefined ? [] : ofWatch(plant, worker, device, now)),
    ...ofAlerts(plant, worker),
    ...ofMusters(plant, worker),
  ]
    .sort((a, b) => a.at - b.at)
    // Sorted oldest first and then reversed: of entries at one instant, the last one comes first too.
    .reverse();
  if (entries.length === 0) return html`<p class="dim">Nothing is known of this worker yet.</p>`;
  const lines = entries
    .slice(0, MOST_ENTRIES)
    .map(
      ({ at, what, by, reason }) =>
        html`<li>${momentOf(formatInstant(at))} <b>${what}</b>${by === null ? '' : ` by ${by}`}${reason === null ? null : html`<p>Reason: ${reason}</p>`}</li>`,
    );
  return html`<ol class="timeline">${lines}</ol>`;
}

const entry = (at: Instant, what: Html, by: string | null = null, reason: string | null = null): PersonEntry => ({
  at,
  what,
  by,
  reason,
});

/**
 * The world stores the last position and the last contact of a watch. A hidden position has no entry, because its time
 * would show that the worker moves.
 */
function ofWatch(plant: Plant, worker: Worker, device: Device, now: Instant): PersonEntry[] {
  const { lastContactAt, worn, batteryPct } = plant.telemetry(device.id);
  const words = [
    worn === null ? null : worn ? 'worn' : 'not worn',
    batteryPct === null ? null : `battery ${batteryPct} %`,
  ].filter((word) => word !== null);
  const about = words.length === 0 ? '' : `: ${words.join(', ')}`;
  const contact =
    lastContactAt === null ? [] : [entry(lastContactAt, html`Last contact of the watch ${device.serial}${about}`)];
  const place = personState(plant, worker, panelUser(worker.organizationId), now)?.place;
  if (place === undefined || !('fix' in place)) return contact;
  const site = plant.need('site', worker.siteId);
  const shown = location(shownLocation(plant, site, place.fix));
  return [
    ...contact,
    entry(place.fix.at, html`Last position: ${placeOf(siteMapView(plant, site), { location: shown })}`),
  ];
}

/** An entry for each change of the worker's alerts. */
function ofAlerts(plant: Plant, worker: Worker): PersonEntry[] {
  const { organizationId } = worker;
  const alerts = alertsOf(plant, { organizationId, workerIds: [worker.id], limit: MOST_OBJECTS });
  return alerts.flatMap((alert) => {
    const { title } = alertView(alert, panelUser(alert.organizationId), { panelUrl: '/panel' });
    return alert.timeline.map(({ at, what, by, reason }) =>
      entry(at, html`<a href="/panel/alerts/${alert.id}">${title}</a>: ${what}`, by, reason),
    );
  });
}

/** What a muster stores about one worker, both while it is active and afterwards. */
interface MusterLine {
  readonly status: CountedStatus;
  readonly helpReason: HelpReason | null;
  readonly since: Instant | null;
  readonly firstSafeAt: Instant | null;
  readonly declaredAt: Instant | null;
  readonly marked: { readonly at: Instant; readonly by: string } | null;
}

function ofMusters(plant: Plant, worker: Worker): PersonEntry[] {
  const musters = [...plant.all('muster')].sort((a, b) => b.startedAt - a.startedAt).slice(0, MOST_OBJECTS);
  return musters.flatMap((muster) => {
    const line = lineOf(plant, muster, worker.id);
    return line === null ? [] : ofMuster(muster, line);
  });
}

/** Returns null if the muster does not expect the worker, or if its people are not stored. */
function lineOf(plant: Plant, muster: Muster, workerId: string): MusterLine | null {
  const expected = plant.get('expected', expectedId(muster.id, workerId));
  if (muster.status === 'active' && expected?.counted === true)
    return { ...expected, declaredAt: expected.declared?.at ?? null };
  const roll = plant.get('roll', muster.id);
  const row = roll?.rows.find(([id]) => id === workerId);
  if (roll === undefined || row === undefined) return null;
  const [line] = linesOf({ ...roll, rows: [row] });
  return line === undefined ? null : { ...line, declaredAt: line.declared?.at ?? null };
}

function ofMuster(muster: Muster, line: MusterLine): PersonEntry[] {
  const { status, helpReason, since, firstSafeAt, declaredAt, marked } = line;
  const link = html`<a href="/panel/musters/${muster.id}">${muster.kind} muster</a>`;
  const why = helpReason === null ? '' : ` (${HELP_REASON_WORDS[helpReason]})`;
  const word = `${PERSON_TERMS[status].word}${why}`;
  const entries = [entry(muster.startedAt, html`Expected in the ${link}`)];
  if (firstSafeAt !== null && firstSafeAt !== since)
    entries.push(entry(firstSafeAt, html`Counted as safe for the first time in the ${link}`));
  if (declaredAt !== null) entries.push(entry(declaredAt, html`Declared on the watch to be at an assembly point`));
  if (marked !== null) entries.push(entry(marked.at, html`Marked safe in the ${link}`, marked.by));
  if (since !== null) entries.push(entry(since, html`Counted as ${word} in the ${link}`));
  if (muster.endedAt !== null) entries.push(entry(muster.endedAt, html`The ${link} ended: ${word}`));
  return entries;
}
