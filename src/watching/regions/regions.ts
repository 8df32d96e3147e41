/** The live regions of pages: each is drawn only from the stream's state, by the server and then, at each change, by the browser. */
import { Html, html } from '../../base/text/html.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import type { StreamSubject } from '../../contract/stream.ts';
import { byAttention } from '../state/alert-order.ts';
import { countsBeside, countsIn, recentOf } from '../state/arrivals.ts';
import { rowsAtEnd } from '../state/not-safe.ts';
import { isMissing, type PersonRow } from '../state/people.ts';
import { exampleCodeOf } from '../state/state.ts';
import { openAlertsView, otherAlertsView } from './alerts.ts';
import { clockControls, clockView } from './clock.ts';
import { curveView } from './curve.ts';
import { type MapSize, mapView } from './map.ts';
import { bannerView, pointsView } from './muster.ts';
import { navView } from './navigation.ts';
import { notSafeView } from './not-safe.ts';
import { peopleView } from './people.ts';
import { personActions, personView } from './person.ts';
import { openAlerts, type PanelLook, type PanelScene, sceneOf } from './scene.ts';
import { countersView, quietSites, urgentSites } from './sites.ts';
import { steerView } from './steer.ts';
import { skipView, stripView } from './strip.ts';

/** Data attributes of a region. */
export interface RegionSubject {
  readonly site?: string;
  readonly muster?: string;
  readonly worker?: string;
  readonly size?: string;
  /** `latitude,longitude`. */
  readonly pin?: string;
  /** The path of the page without its first slash, because it is no link. */
  readonly here?: string;
  /** The names of the companies by the ids of their sites, as JSON. */
  readonly companies?: string;
  /** The counts at the points that the server knew when it drew the page (`countsText`). */
  readonly recent?: string;
}

/** A change of a subject, or that a second has passed. */
export type Trigger = StreamSubject | 'second';

interface LiveRegion {
  /** The changes after which the region is drawn again. */
  readonly triggers: readonly Trigger[];
  readonly view: (look: PanelLook, about: RegionSubject) => Html;
}

/** Maximum number of alerts on a page about something else: the list of all alerts has the rest. */
const MOST_OF_ALL = 12;

const NOTHING = new Html('');
/** The clock too: a list may be ordered by what has become of people meanwhile. */
const OF_PEOPLE = ['person', 'worker', 'site', 'alert', 'muster', 'not_safe', 'clock'] as const;

/** A region is empty if its object does not exist any more. */
const REGIONS = {
  clock: { triggers: ['clock', 'second'], view: clockView },
  'clock-controls': { triggers: ['clock'], view: clockControls },
  nav: { triggers: ['alert', 'muster', 'delivery', 'site'], view: navView },
  skip: { triggers: OF_PEOPLE, view: skipView },
  strip: { triggers: [...OF_PEOPLE, 'second'], view: stripView },
  counters: { triggers: [...OF_PEOPLE, 'destination', 'delivery'], view: countersView },
  alerts: { triggers: OF_PEOPLE, view: alertsView },
  'other-alerts': { triggers: OF_PEOPLE, view: ofSite(otherAlerts) },
  banner: {
    triggers: [...OF_PEOPLE, 'second'],
    view: ofMuster((muster, look, about) => {
      const rows =
        muster.status === 'active' ? (sceneOf(look, muster.site.id)?.siteRows ?? []) : rowsAtEnd(look.world, muster);
      return bannerView({ muster, rows, now: look.now }, about.muster !== undefined);
    }),
  },
  points: {
    triggers: ['muster', 'site', 'second'],
    view: ofMuster((muster, { world, reader, now }, { recent = '' }) => {
      const counts = recentOf(countsBeside(countsIn(recent), world.pointCounts.get(muster.id) ?? []), now);
      return pointsView(muster, world.sites.get(muster.site.id)?.zones ?? [], reader, { counts, now });
    }),
  },
  curve: {
    triggers: ['muster', 'second'],
    view: ofMuster((muster, { world, now }) => curveView(muster, world.curves.get(muster.id) ?? [], now)),
  },
  'urgent-sites': { triggers: [...OF_PEOPLE, 'second'], view: urgentSites },
  'quiet-sites': { triggers: OF_PEOPLE, view: quietSites },
  steer: { triggers: ['muster', 'site'], view: ofSite(steerView) },
  map: {
    triggers: OF_PEOPLE,
    view: ofSite((scene, { size = 'large', pin, worker = null }) =>
      mapView(scene, size as MapSize, { pin: pinOf(pin), worker }),
    ),
  },
  'not-safe': {
    triggers: OF_PEOPLE,
    view: ofSite((scene, { muster }) => notSafeView(scene, muster)),
  },
  people: { triggers: OF_PEOPLE, view: ofSite(peopleView) },
  person: {
    triggers: OF_PEOPLE,
    view: ofPerson(personView, html`<p>They are not on this site any more.</p>`),
  },
  'person-actions': { triggers: OF_PEOPLE, view: ofPerson(personActions, NOTHING) },
} satisfies Record<string, LiveRegion>;

export type Region = keyof typeof REGIONS;

export const REGION_NAMES = /* @__PURE__ */ Object.keys(REGIONS) as Region[];

export const triggersOf = (region: Region): readonly Trigger[] => REGIONS[region].triggers;

export const regionView = (region: Region, look: PanelLook, about: RegionSubject): Html =>
  REGIONS[region].view(look, about);

function alertsView(look: PanelLook, about: RegionSubject): Html {
  const alerts = openAlerts(look.world, about.site ?? null).filter(
    ({ worker }) => about.worker === undefined || worker?.id === about.worker,
  );
  const most = about.site === undefined ? MOST_OF_ALL : undefined;
  const safeAt = safeAmong(look, alerts);
  return openAlertsView(
    alerts.sort(byAttention(look.world)),
    { ...look, safeAt },
    exampleWorkerCode(look, about),
    most,
  );
}

/** The workers of these alerts who are safe in an active muster, and the names of their points; empty: not known. */
function safeAmong({ world }: PanelLook, alerts: readonly Alert[]): ReadonlyMap<string, string> {
  const found = alerts.flatMap(({ worker }): [string, string][] => {
    const own = worker === null ? null : world.people.get(worker.id)?.muster;
    if (worker === null || own?.status !== 'safe') return [];
    const points = world.musters.get(own.id)?.assembly_points ?? [];
    return [[worker.id, points.find(({ id }) => id === own.assembly_point?.id)?.name ?? '']];
  });
  return new Map(found);
}

/** During a muster the rows of the missing people have their alerts, so only the others are listed. */
function otherAlerts(scene: PanelScene): Html {
  if (scene.active === null) return alertsView(scene, { site: scene.site.id });
  const missing = new Set(scene.siteRows.filter(isMissing).map(({ id }) => id));
  const alerts = scene.alerts.filter(({ worker }) => worker === null || !missing.has(worker.id));
  return otherAlertsView(alerts, { ...scene, safeAt: safeAmong(scene, alerts) }, MOST_OF_ALL);
}

/** Draws the muster with the given id, or the active muster of the site. */
function ofMuster(draw: (muster: Muster, look: PanelLook, about: RegionSubject) => Html): LiveRegion['view'] {
  return (look, about) => {
    const { muster: id, site } = about;
    const found =
      id !== undefined
        ? look.world.musters.get(id)
        : [...look.world.musters.values()].find((one) => one.site.id === site && one.status === 'active');
    return found === undefined ? NOTHING : draw(found, look, about);
  };
}

function ofSite(draw: (scene: PanelScene, about: RegionSubject) => Html): LiveRegion['view'] {
  return (look, about) => {
    const scene = about.site === undefined ? null : sceneOf(look, about.site);
    return scene === null ? NOTHING : draw(scene, about);
  };
}

function ofPerson(draw: (scene: PanelScene, row: PersonRow) => Html, absent: Html): LiveRegion['view'] {
  return ofSite((scene, { worker }) => {
    const row = scene.siteRows.find(({ id }) => id === worker);
    return row === undefined ? absent : draw(scene, row);
  });
}

/** The code of a worker for example commands: that of the given worker, else of the example. */
const exampleWorkerCode = ({ world }: PanelLook, { site, worker }: RegionSubject): string =>
  world.workers.get(worker ?? '')?.external_id ?? exampleCodeOf(world, site);

function pinOf(pin: string | undefined): { latitude: number; longitude: number } | null {
  const [latitude, longitude] = (pin ?? '').split(',').map(Number);
  return pin === undefined || latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** A region as an element of a page. */
export function regionSection(region: Region, look: PanelLook, about: RegionSubject = {}, tag = 'section'): Html {
  const attributes = Object.entries(about).map(([name, value]) => html` data-${new Html(name)}="${value}"`);
  return html`<${new Html(tag)} class="region ${region}" data-region="${region}"${attributes}>${regionView(region, look, about)}</${new Html(tag)}>`;
}
