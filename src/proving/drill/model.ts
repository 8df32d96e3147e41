/** The model behind a drill, for its report: inputs, guideline tests that it passes, and effects that it leaves out. */
import { exp } from '../../base/random/portable-math.ts';
import type { MusterKind } from '../../contract/enumerations.ts';
import { BOUNDARY_M, SPECIFIC_FLOW } from '../../fleet/people/ground/passages.ts';
import { FLIGHT_SHARE } from '../../fleet/people/ground/stairs.ts';
import { HABIT_SHARE, MAKE_SAFE, SHAKING_MS, SHARES, START, TSUNAMI } from '../../fleet/people/muster/muster-knobs.ts';
import { PACE } from '../../plant/people.ts';

/**
 * Tests of published guidelines that the walking model passes; docs/internal/walking-model.md has their criteria and
 * results.
 */
export const GUIDELINE_TESTS = [
  'RiMEA 1 to 13 and 15',
  'IMO 1 and 4',
  'NIST 1.1, 2.1 to 2.4, 2.10, 3.1, 4.1, 5.1 and 5.2',
] as const;

/** Effects that the model leaves out. The first four can make a real evacuation slower than a drill. */
export const NOT_MODELLED = [
  'counterflow: people pass through each other',
  'groups and families: people walk alone, but for helpers',
  'smoke, gas, darkness and panic',
  'the flow of open passages and corridors: only doors and stairs limit it',
  'lifts',
  'social influence: people follow no others',
  'weather, slopes and visitors who do not know the site',
] as const;

/** The name and value of one input. */
type DrillInput = readonly [name: string, value: string];

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
const percent = (share: number): string => `${Math.round(1_000 * share) / 10} %`;

const BEHAVIOUR_WORDS = {
  helps: 'help another first',
  trapped: 'are trapped',
  injured: 'are injured',
  wrong: 'go to a point that does not serve',
  ignores: 'ignore the alarm until the watch reminds them',
  returns: 'go back for their tools',
} as const satisfies { readonly [K in keyof (typeof SHARES)[MusterKind]]: string };

/** The inputs that all runs of a kind of muster share. */
export function inputsOf(kind: MusterKind): DrillInput[] {
  const median = `median ${Math.round(exp(START.mu))} s`;
  const day = `lognormal (${START.mu}, ${START.sigma}), ${median}, truncated at ${seconds(START.mostMs)}`;
  const delay = {
    general: day,
    earthquake: `${seconds(SHAKING_MS)} of shaking, then ${day}`,
    tsunami: `0 to ${seconds(TSUNAMI.noticeMs)} to hear, then Rayleigh of scale ${seconds(TSUNAMI.scaleMs)}`,
  } satisfies { readonly [K in MusterKind]: string };
  const shares = Object.entries(BEHAVIOUR_WORDS).map(
    ([key, words]) => `${percent(SHARES[kind][key as keyof typeof BEHAVIOUR_WORDS])} ${words}`,
  );
  return [
    ['start delay', delay[kind]],
    ['make machines safe first', `${percent(MAKE_SAFE.share)}, median ${Math.round(exp(MAKE_SAFE.mu))} s more`],
    ['behaviour', `${shares.join(', ')}; the others go at once (assumptions)`],
    ['habit', `${percent(HABIT_SHARE)} go to the point that they are used to`],
    [
      'speed on the flat',
      `normal (${PACE.mean}, ${PACE.sd}) m/s, truncated at ${PACE.least} and ${PACE.most}, slower in a crowd (Weidmann)`,
    ],
    ['speed on stairs', `${FLIGHT_SHARE.up.toFixed(2)} of that up, ${FLIGHT_SHARE.down.toFixed(2)} down`],
    [
      'flow',
      `doors ${SPECIFIC_FLOW.door}, stairs ${SPECIFIC_FLOW.stair} people a second and metre, without ${BOUNDARY_M.toFixed(2)} m of their width`,
    ],
  ];
}
