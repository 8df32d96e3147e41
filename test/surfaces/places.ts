/** Where to look for a person, as each list of the panel, the dashboard and the report has it. */
import { expect } from 'vitest';
import { allAlertRows } from '../../src/dashboard/panes/alerts.ts';
import { allPeopleRows } from '../../src/dashboard/panes/people.ts';
import type { PaneRow } from '../../src/dashboard/table.ts';
import { theme } from '../../src/dashboard/terminal/theme.ts';
import { sceneOf as dashboardSceneOf } from '../../src/dashboard/view.ts';
import type { World } from '../../src/service/domain/world/world.ts';
import { afterAction } from '../../src/service/panel/after-action/after-action.ts';
import { peopleList } from '../../src/watching/regions/people.ts';
import { regionView } from '../../src/watching/regions/regions.ts';
import { sceneOf } from '../../src/watching/regions/scene.ts';
import type { StreamState } from '../../src/watching/state/state.ts';
import { viewer } from '../dashboard/harbour.ts';
import { READER } from './first.ts';

type Place = readonly [workerId: string, place: string];

/** `places`: the places that were compared; `moved`: those of alerts that differ from where the alert was raised. */
export function comparePlaces(
  world: World,
  state: StreamState,
  at: string,
  seen: { places: number; moved: number },
): void {
  const look = { world: state, now: Date.parse(state.clock?.now ?? ''), reader: READER };
  for (const siteId of state.sites.keys()) {
    const listed = new Map(peopleList(sceneOf(look, siteId)!).rows.map(({ key, place }) => [key, place]));
    const musterId = [...state.musters.values()].find(
      ({ site, status }) => site.id === siteId && status === 'active',
    )?.id;
    const lists = {
      ...alertPlaces(state, siteId, look),
      'people of the dashboard': peoplePlaces(state, siteId),
      report: musterId === undefined ? [] : reportPlaces(world, musterId, look.now, listed),
    };
    for (const [list, places] of Object.entries(lists))
      for (const [workerId, place] of places) {
        const expected = listed.get(workerId);
        if (expected === undefined || (musterId === undefined && HIDDEN.includes(expected))) continue;
        expect([at, list, workerId, place]).toEqual([at, list, workerId, expected]);
        seen.places += 1;
        const raised = [...state.alerts.values()].find(({ worker }) => worker?.id === workerId)?.zone?.name;
        seen.moved += Number(raised !== undefined && list.startsWith('alerts') && raised !== place);
      }
  }
}

/** Without a muster and a position, an alert has the place where it was raised. */
const HIDDEN = ['withheld', 'not known'];

function alertPlaces(state: StreamState, siteId: string, look: Parameters<typeof regionView>[1]) {
  const workerOf = (alertId: string): string => state.alerts.get(alertId)?.worker?.id ?? '';
  const ofPanel = (region: 'alerts' | 'other-alerts', site?: string): Place[] =>
    [
      ...regionView(region, look, site === undefined ? {} : { site }).text.matchAll(/data-whose="([^"]+)">([^<]+)</g),
    ].map(([, id = '', place = '']) => [workerOf(id), place]);
  const view = viewer({ siteId });
  const rows = allAlertRows(dashboardSceneOf(state, view, 0), view, theme('mono'));
  const ofDashboard = rows.flatMap(({ id, cells }): Place[] => {
    const text = cells[PLACE]?.text[0] ?? '';
    return id === null || workerOf(id) === '' || text === '' ? [] : [[workerOf(id), text.replace(' @', ' at ')]];
  });
  return {
    'alerts of home': ofPanel('alerts'),
    'alerts of the site': ofPanel('alerts', siteId),
    'alerts beside the missing list': ofPanel('other-alerts', siteId),
    'alerts of the dashboard': ofDashboard,
  };
}

/** The columns of the place and of its time in the rows of the dashboard. */
const [PLACE, SEEN] = [4, 5] as const;

function peoplePlaces(state: StreamState, siteId: string): Place[] {
  const view = viewer({ siteId });
  const scene = { ...dashboardSceneOf(state, view, 0), notSafe: [] };
  const timeOf = ({ cells }: PaneRow): string => /@(\d\d:\d\d)/.exec(cells[SEEN]?.text[0] ?? '')?.[1] ?? '';
  return allPeopleRows(scene, view, theme('mono')).flatMap((row): Place[] => {
    const place = row.cells[PLACE]?.text[0] ?? '';
    return row.id === null || place === '' ? [] : [[row.id, timeOf(row) === '' ? place : `${place} at ${timeOf(row)}`]];
  });
}

/** The report always has the time, so it is left out where the list of the muster has none. */
function reportPlaces(world: World, musterId: string, now: number, listed: ReadonlyMap<string, string>): Place[] {
  const { people } = afterAction(world, world.need('muster', musterId), [], now);
  return (people ?? []).flatMap(({ worker: { id }, lastPlace }): Place[] => {
    if (lastPlace === null) return [];
    return [[id, WITH_TIME.test(listed.get(id) ?? '') ? lastPlace : lastPlace.replace(WITH_TIME, '')]];
  });
}

const WITH_TIME = / at \d\d:\d\d$/;
