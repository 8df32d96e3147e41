/**
 * Scenes: situations of an alert or a muster in which integrations often fail, each a few steps with details drawn by the seed.
 * A search plays all of them before it generates scenarios of single moves, so that each specified transition occurs early.
 */

import type { WeightedMove } from '../moves.ts';
import { ALERT_SCENES } from './alerts.ts';
import { CONTACT_SCENES } from './contact.ts';
import { MUSTER_SCENES } from './musters.ts';

const SCENES = { ...ALERT_SCENES, ...CONTACT_SCENES, ...MUSTER_SCENES };

type SceneName = keyof typeof SCENES;

/**
 * The order in which a search plays the scenes: those that find most in the least time first, as far as the earlier ones do not find
 * the same, measured on the systems of bench/control-rooms. The seed shuffles the scenes of one group. The others come after them.
 */
const ORDER: readonly (readonly SceneName[])[] = [
  [
    'answersLost',
    'batteryLife',
    'musterCancelled',
    'rotatedUntold',
    'tokenExpires',
    'namesHidden',
    'shuffled',
    'alertLives',
  ],
  [
    'musterOvertaken',
    'mixedSeverities',
    'rotatedAndOver',
    'privacyZone',
    'secondMuster',
    'twoMusters',
    'musterDisturbed',
  ],
  ['manyAndSentAgain', 'ownCallFails', 'silentWatch', 'twice', 'overtaken', 'tooManyRequests', 'alertWithoutWorker'],
  ['manyOpenAlerts', 'musterInOutage', 'noTokenForAWhile', 'apiAwayWhileOpen', 'musterLife', 'alertsWithinASecond'],
  [
    'changesWithinASecond',
    'alertsAtOnce',
    'alertsOfOnePerson',
    'sentAgain',
    'musterNeedsHelp',
    'receiverFails',
    'late',
  ],
];

/** Played last, because each takes several seconds. */
const LAST: ReadonlySet<string> = new Set<SceneName>([
  'longGap',
  'manyEventsOneWay',
  'manyEventsUndelivered',
  'tooManyRequestsAgain',
]);

/** The scenes as moves that can be drawn again later. */
export const SCENE_MOVES: readonly WeightedMove[] = Object.entries(SCENES).map(([name, steps]) => ({
  name,
  weight: LAST.has(name) ? 0.5 : 2,
  steps,
}));

/** Returns the rank in the order in which a search plays the scenes. */
export function rankOfScene(name: string): number {
  const group = ORDER.findIndex((names: readonly string[]) => names.includes(name));
  return LAST.has(name) ? ORDER.length + 1 : group < 0 ? ORDER.length : group;
}
