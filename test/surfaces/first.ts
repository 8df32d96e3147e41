/** Who is to be helped first, and the words for who was not safe, as each list of the panel, the dashboard and the report has them. */
import { expect } from 'vitest';
import { sceneOf as dashboardSceneOf } from '../../src/dashboard/view.ts';
import type { World } from '../../src/service/domain/world/world.ts';
import { afterAction } from '../../src/service/panel/after-action/after-action.ts';
import { reportPage } from '../../src/service/panel/after-action/page.ts';
import { peopleList } from '../../src/watching/regions/people.ts';
import { type Region, regionView } from '../../src/watching/regions/regions.ts';
import { type PanelLook, sceneOf } from '../../src/watching/regions/scene.ts';
import { emergenciesOf } from '../../src/watching/state/emergencies.ts';
import { isOpenCritical } from '../../src/watching/state/people.ts';
import type { StreamState } from '../../src/watching/state/state.ts';
import { PANEL_USER, viewer } from '../dashboard/harbour.ts';

/** Without the forms, which are most of a page. */
export const READER = { ...PANEL_USER, acts: false, all: true };

/** The keys of the rows of a region, in order. */
const keysOf = (region: Region, look: PanelLook, site?: string): string[] =>
  [...regionView(region, look, site === undefined ? {} : { site }).text.matchAll(/<tr data-key="([^"]+)"/g)].map(
    ([, key = '']) => key,
  );

/** The first person with a critical alert in each list, of those in `among`. Null: the list has none of them. */
function firstIn(state: StreamState, look: PanelLook, siteId: string, among: ReadonlySet<string>) {
  const ofAlerts = (ids: readonly string[]): string | null => {
    const workers = ids.flatMap((id) => {
      const alert = state.alerts.get(id);
      return alert !== undefined && isOpenCritical(alert) ? (alert.worker?.id ?? []) : [];
    });
    return workers.find((id) => among.has(id)) ?? null;
  };
  const dashboard = dashboardSceneOf(state, viewer({ siteId }), 0);
  const emergency = emergenciesOf(state).find(({ site }) => site.id === siteId);
  return {
    'alerts of home': ofAlerts(keysOf('alerts', look)),
    'alerts of the site': ofAlerts(keysOf('alerts', look, siteId)),
    'alerts of the strip': ofAlerts((emergency?.alerts ?? []).map(({ id }) => id)),
    'alerts of the dashboard': ofAlerts(dashboard.alertRows.map(({ id }) => id)),
  };
}

/** The worlds of this test have few alerts: home lists the most urgent ones of all sites. */
export interface SeenLists {
  /** Lists that begin with somebody who waits. */
  waiting: number;
  /** Words of people who were not safe. */
  words: number;
}

export function compareFirst(world: World, state: StreamState, at: string, seen: SeenLists): void {
  const look = { world: state, now: Date.parse(state.clock?.now ?? ''), reader: READER };
  for (const siteId of state.sites.keys()) {
    const where = `${at}, ${siteId.slice(-2)}`;
    const { people, notSafe } = dashboardSceneOf(state, viewer({ siteId }), 0);
    expect([where, ...people.map(({ id }) => id)]).toEqual([where, ...peopleList(sceneOf(look, siteId)!).ids]);
    const listed = notSafe.length > 0 ? notSafe.map(({ workerId }) => workerId) : people.map(({ id }) => id);
    const critical = [...state.alerts.values()].filter(isOpenCritical).map(({ worker }) => worker?.id ?? '');
    const first = listed.find((id) => critical.includes(id)) ?? null;
    const lists = firstIn(state, look, siteId, new Set(listed));
    expect([where, lists]).toEqual([where, Object.fromEntries(Object.keys(lists).map((list) => [list, first]))]);
    seen.waiting += Number(first !== null);
    if (notSafe.length === 0) continue;
    const words = notSafe.map(({ word, worker }) => `${capital(word)} ${worker?.external_id ?? ''}`);
    expect([where, ...panelWords(look, siteId)]).toEqual([where, ...words]);
    const musterId = state.notSafe.get(siteId)?.[0]?.muster_id ?? '';
    expect([where, ...reportWords(world, musterId, look.now)]).toEqual([where, ...words]);
    seen.words += words.length;
  }
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const panelWords = (look: PanelLook, site: string): string[] =>
  [
    ...regionView('not-safe', look, { site }).text.matchAll(
      /<tr data-key="not-safe .*?<\/i> ([^<]+)<.*?<td class="code">([^<]*)</g,
    ),
  ].map(([, word, code]) => `${word} ${code}`);

function reportWords(world: World, musterId: string, now: number): string[] {
  const page = reportPage(afterAction(world, world.need('muster', musterId), [], now));
  const list = page.slice(page.indexOf('<h2>Not safe at the end'), page.indexOf('<h2>Assembly points'));
  return [...list.matchAll(/<tr><td.*?class="code">([^<]*)<.*?<\/i>([^<]+)</g)].map(
    ([, code, word]) => `${word} ${code}`,
  );
}
