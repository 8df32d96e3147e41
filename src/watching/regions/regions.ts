/** The live regions of pages: each is drawn only from the stream's state, by the server and then, at each change, by the browser. */
import { Html, html } from '../../base/text/html.ts';
import type { Muster } from '../../contract/resources.ts';
import type { StreamSubject } from '../../contract/stream.ts';
import type { PersonRow } from '../state/people.ts';
import { openAlertsView } from './alerts.ts';
import { curveView } from './curve.ts';
import { type MapSize, mapView } from './map.ts';
import { bannerView, pointsView } from './muster.ts';
import { notSafeView } from './not-safe.ts';
import { peopleView } from './people.ts';
import { personActions, personView } from './person.ts';
import { openAlerts, type PanelLook, type PanelScene, sceneOf } from './scene.ts';
import { clockView, countersView, siteCard } from './sites.ts';
import { steerView } from './steer.ts';

/** Data attributes of a region. */
export interface RegionSubject {
  readonly site?: string;
  readonly muster?: string;
  readonly worker?: string;
  readonly size?: string;
  /** `latitude,longitude`. */
  readonly pin?: string;
}

/** A change of a subject, or that a second has passed. */
export type Trigger = StreamSubject | 'second';

interface LiveRegion {
  /** The changes after which the region is drawn again. */
  readonly triggers: readonly Trigger[];
  readonly view: (look: PanelLook, about: RegionSubject) => Html;
}

/** Maximum number of alerts of all sites on a page about something else. */
const MOST_OF_ALL = 12;

const NOTHING = new Html('');
const OF_PEOPLE = ['person', 'worker', 'site', 'alert', 'muster'] as const;

/** A region is empty if its object does not exist any more. */
const REGIONS = {
  clock: { triggers: ['clock', 'second'], view: clockView },
  counters: { triggers: [...OF_PEOPLE, 'destination', 'delivery'], view: countersView },
  alerts: { triggers: ['alert'], view: alertsView },
  banner: {
    triggers: ['alert', 'muster', 'second'],
    view: ofMuster((muster, look, about) => {
      const rows = muster.status === 'active' ? (sceneOf(look, muster.site.id)?.siteRows ?? []) : [];
      return bannerView({ muster, rows, now: look.now }, about.muster !== undefined);
    }),
  },
  points: {
    triggers: ['muster', 'site'],
    view: ofMuster((muster, { world, reader }) =>
      pointsView(muster, world.sites.get(muster.site.id)?.zones ?? [], reader),
    ),
  },
  curve: {
    triggers: ['muster', 'second'],
    view: ofMuster((muster, { world, now }) => curveView(muster, world.curves.get(muster.id) ?? [], now)),
  },
  'site-card': { triggers: [...OF_PEOPLE, 'not_safe', 'second'], view: ofSite(siteCard) },
  steer: { triggers: ['muster', 'site'], view: ofSite(steerView) },
  map: {
    triggers: OF_PEOPLE,
    view: ofSite((scene, { size = 'large', pin, worker = null }) =>
      mapView(scene, size as MapSize, { pin: pinOf(pin), worker }),
    ),
  },
  'not-safe': {
    triggers: ['not_safe', 'muster', 'worker', 'site'],
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

export const triggersOf = (region: Region): readonly Trigger[] => REGIONS[region].triggers;

export const regionView = (region: Region, look: PanelLook, about: RegionSubject): Html =>
  REGIONS[region].view(look, about);

function alertsView(look: PanelLook, about: RegionSubject): Html {
  const alerts = openAlerts(look.world, about.site ?? null).filter(
    ({ worker }) => about.worker === undefined || worker?.id === about.worker,
  );
  const most = about.site === undefined ? MOST_OF_ALL : undefined;
  return openAlertsView(alerts, look, exampleWorkerCode(look, about), most);
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

/**
 * Returns the code of a worker for example commands: that of the given worker, else the lowest one, because workers
 * arrive in any order.
 */
function exampleWorkerCode({ world }: PanelLook, { site, worker }: RegionSubject): string {
  const named = worker === undefined ? undefined : world.workers.get(worker);
  if (named !== undefined) return named.external_id ?? 'W-014';
  const own = [...world.workers.values()].filter(
    (one) => (site === undefined || one.site_id === site) && one.is_active,
  );
  return own.flatMap(({ external_id }) => external_id ?? []).sort()[0] ?? 'W-014';
}

function pinOf(pin: string | undefined): { latitude: number; longitude: number } | null {
  const [latitude, longitude] = (pin ?? '').split(',').map(Number);
  return pin === undefined || latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** A region as an element of a page. */
export function regionSection(region: Region, look: PanelLook, about: RegionSubject = {}, tag = 'section'): Html {
  const attributes = Object.entries(about).map(([name, value]) => html` data-${new Html(name)}="${value}"`);
  return html`<${new Html(tag)} class="region ${region}" data-region="${region}"${attributes}>${regionView(region, look, about)}</${new Html(tag)}>`;
}
