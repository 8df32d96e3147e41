/** The parts of pages that live: each is drawn from the stream's state alone, first by the server and then, at each change, by the browser. */
import { Html, html } from '../../base/html.ts';
import type { FeedChange } from '../../watching/feed.ts';
import { openAlertsView } from './alerts.ts';
import { curveView } from './curve.ts';
import { type MapSize, mapView } from './map.ts';
import { bannerView, pointsView, steerView } from './muster.ts';
import { peopleView } from './people.ts';
import { personView } from './person.ts';
import { type Look, openAlerts, type Scene, sceneOf } from './scene.ts';
import { clockView, siteCard } from './sites.ts';

export const REGIONS = [
  'clock',
  'site-card',
  'alerts',
  'banner',
  'points',
  'steer',
  'curve',
  'map',
  'people',
  'person',
] as const;
export type Region = (typeof REGIONS)[number];

/** What a region is about, as its attributes say. */
export interface About {
  readonly site?: string;
  readonly muster?: string;
  readonly worker?: string;
  readonly size?: string;
  /** `latitude,longitude`. */
  readonly pin?: string;
}

type Subject = FeedChange['subject'] | 'second';

/** What makes a region look otherwise; `second`: the time that passes. */
export const HEARS: Readonly<Record<Region, readonly Subject[]>> = {
  clock: ['clock', 'second'],
  'site-card': ['person', 'worker', 'site', 'alert', 'muster', 'second'],
  alerts: ['alert'],
  banner: ['muster', 'second'],
  points: ['muster'],
  steer: ['muster', 'site'],
  curve: ['muster'],
  map: ['person', 'worker', 'site', 'alert', 'muster'],
  people: ['person', 'worker', 'site', 'alert', 'muster'],
  person: ['person', 'worker', 'site', 'alert', 'muster'],
};

const NOTHING = new Html('');

/** Empty where what it is about is not, or is no more. */
export function regionView(region: Region, look: Look, about: About): Html {
  switch (region) {
    case 'clock':
      return clockView(look);
    case 'alerts':
      return openAlertsView(
        openAlerts(look.world, about.site ?? null).filter(
          ({ worker }) => about.worker === undefined || worker?.id === about.worker,
        ),
        look.reader,
      );
    case 'curve':
      return ofMuster(look, about, (muster) => curveView(muster, look.world.curves.get(muster.id) ?? [], look.now));
    case 'banner':
      return ofMuster(look, about, (muster) => bannerView(muster, look.now, about.muster !== undefined));
    case 'points':
      return ofMuster(look, about, (muster) => pointsView(muster, look.reader));
    default: {
      const scene = about.site === undefined ? null : sceneOf(look, about.site);
      return scene === null ? NOTHING : ofSite(region, scene, about);
    }
  }
}

/** The muster itself, or the one that is under way on the site. */
function ofMuster({ world }: Look, { muster: id, site }: About, draw: (muster: Muster) => Html): Html {
  const found =
    id !== undefined
      ? world.musters.get(id)
      : [...world.musters.values()].find((one) => one.site.id === site && one.status === 'active');
  return found === undefined ? NOTHING : draw(found);
}
type Muster = Look['world']['musters'] extends ReadonlyMap<string, infer T> ? T : never;

function ofSite(region: 'site-card' | 'steer' | 'map' | 'people' | 'person', scene: Scene, about: About): Html {
  switch (region) {
    case 'site-card':
      return siteCard(scene);
    case 'steer':
      return steerView(scene);
    case 'map':
      return mapView(scene, (about.size ?? 'large') as MapSize, pinOf(about.pin));
    case 'people':
      return peopleView(scene);
    case 'person': {
      const row = scene.everybody.find(({ id }) => id === about.worker);
      return row === undefined ? html`<p>They are not on this site any more.</p>` : personView(scene, row);
    }
  }
}

function pinOf(pin: string | undefined): { latitude: number; longitude: number } | null {
  const [latitude, longitude] = (pin ?? '').split(',').map(Number);
  return pin === undefined || latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** A region as it stands in a page. */
export function regionSection(region: Region, look: Look, about: About = {}, tag = 'section'): Html {
  const attributes = Object.entries(about).map(([name, value]) => html` data-${new Html(name)}="${value}"`);
  return html`<${new Html(tag)} class="region ${region}" data-region="${region}"${attributes}>${regionView(region, look, about)}</${new Html(tag)}>`;
}
