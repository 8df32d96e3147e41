/** The live parts of pages: each is drawn from the stream's state alone, by the server and then, at each change, by the browser. */
import { Html, html } from '../../base/html.ts';
import type { StreamSubject } from '../../contract/stream.ts';
import { openAlertsView } from './alerts.ts';
import { curveView } from './curve.ts';
import { type MapSize, mapView } from './map.ts';
import { bannerView, pointsView } from './muster.ts';
import { peopleView } from './people.ts';
import { personDeeds, personView } from './person.ts';
import { openAlerts, type PanelLook, type PanelScene, sceneOf } from './scene.ts';
import { clockView, countersView, siteCard } from './sites.ts';
import { steerView } from './steer.ts';

export type Region = keyof typeof TRIGGERS;

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

/** What a region is drawn again for. */
export const TRIGGERS = {
  clock: ['clock', 'second'],
  'site-card': ['person', 'worker', 'site', 'alert', 'muster', 'second'],
  alerts: ['alert'],
  banner: ['alert', 'muster', 'second'],
  points: ['muster', 'site'],
  steer: ['muster', 'site'],
  curve: ['muster', 'second'],
  map: ['person', 'worker', 'site', 'alert', 'muster'],
  people: ['person', 'worker', 'site', 'alert', 'muster'],
  person: ['person', 'worker', 'site', 'alert', 'muster'],
  'person-deeds': ['person', 'worker', 'site', 'alert', 'muster'],
  counters: ['person', 'worker', 'site', 'alert', 'muster', 'destination', 'delivery'],
} satisfies Record<string, readonly Trigger[]>;

/** Alerts of all sites on a page of other things. */
const MOST_OF_ALL = 12;

const NOTHING = new Html('');

/** Empty if the object does not exist any more. */
export function regionView(region: Region, look: PanelLook, about: RegionSubject): Html {
  switch (region) {
    case 'clock':
      return clockView(look);
    case 'alerts':
      return openAlertsView(
        openAlerts(look.world, about.site ?? null).filter(
          ({ worker }) => about.worker === undefined || worker?.id === about.worker,
        ),
        look,
        exampleWorkerCode(look, about),
        about.site === undefined ? MOST_OF_ALL : undefined,
      );
    case 'curve':
      return ofMuster(look, about, (muster) => curveView(muster, look.world.curves.get(muster.id) ?? [], look.now));
    case 'banner':
      return ofMuster(look, about, (muster) => {
        const rows = muster.status === 'active' ? (sceneOf(look, muster.site.id)?.siteRows ?? []) : [];
        return bannerView({ muster, rows, now: look.now }, about.muster !== undefined);
      });
    case 'points':
      return ofMuster(look, about, (muster) =>
        pointsView(muster, look.world.sites.get(muster.site.id)?.zones ?? [], look.reader),
      );
    case 'counters':
      return countersView(look);
    default: {
      const scene = about.site === undefined ? null : sceneOf(look, about.site);
      return scene === null ? NOTHING : ofSite(region, scene, about);
    }
  }
}

/** The muster by its id, or the active one of the site. */
function ofMuster({ world }: PanelLook, { muster: id, site }: RegionSubject, draw: (muster: Muster) => Html): Html {
  const found =
    id !== undefined
      ? world.musters.get(id)
      : [...world.musters.values()].find((one) => one.site.id === site && one.status === 'active');
  return found === undefined ? NOTHING : draw(found);
}
type Muster = PanelLook['world']['musters'] extends ReadonlyMap<string, infer T> ? T : never;

type OfSite = 'site-card' | 'steer' | 'map' | 'people' | 'person' | 'person-deeds';

function ofSite(region: OfSite, scene: PanelScene, about: RegionSubject): Html {
  switch (region) {
    case 'site-card':
      return siteCard(scene);
    case 'steer':
      return steerView(scene);
    case 'map':
      return mapView(scene, (about.size ?? 'large') as MapSize, {
        pin: pinOf(about.pin),
        worker: about.worker ?? null,
      });
    case 'people':
      return peopleView(scene);
    case 'person':
    case 'person-deeds': {
      const row = scene.siteRows.find(({ id }) => id === about.worker);
      if (region === 'person-deeds') return row === undefined ? NOTHING : personDeeds(scene, row);
      return row === undefined ? html`<p>They are not on this site any more.</p>` : personView(scene, row);
    }
  }
}

/** Code of a worker for example commands. */
function exampleWorkerCode({ world }: PanelLook, { site, worker }: RegionSubject): string {
  const named = worker === undefined ? undefined : world.workers.get(worker);
  const anybody =
    named ?? [...world.workers.values()].find((one) => (site === undefined || one.site_id === site) && one.is_active);
  return anybody?.external_id ?? 'W-014';
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
