/** A numbered check of `sandbox certify --watch`: in which state of the plant it is judged, what it needs, and how it judges. */
import { CLI } from '../../../base/text/command-form.ts';
import { type Finding, failed, type JudgedCheck, notJudged } from '../check.ts';
import type { PlantState, WatchBench } from './bench.ts';

export const WATCH_NEEDS = {
  hand: {
    flag: 'a wearer',
    help: `a person at the terminal (not --unattended), or --start-command CMD with a command that speaks the harness: see ${CLI} certify --help.`,
  },
} as const;
type WatchNeed = keyof typeof WATCH_NEEDS;

export interface WatchCheck extends JudgedCheck {
  readonly series: 'W';
  readonly needs: readonly WatchNeed[];
  readonly state: PlantState;
  judge(bench: WatchBench): Promise<Finding>;
}

type CheckHead = Omit<WatchCheck, 'series' | 'needs' | 'state' | 'judge' | 'group'> & {
  readonly needs?: readonly WatchNeed[];
  readonly state?: PlantState;
};

/** Makes the checks of one group. `usual` is the default state of the plant. */
export const checksOf =
  (group: WatchCheck['group'], usual: PlantState) =>
  ({ needs = [], state = usual, ...head }: CheckHead, judge: WatchCheck['judge']): WatchCheck => ({
    ...head,
    series: 'W',
    group,
    needs,
    state,
    judge,
  });

/** The consequence in production, and what to change. */
export interface Remedy {
  readonly production: string;
  readonly fix: string;
}

export const broken = (sent: string, got: string, remedy: Remedy): Finding => failed(sent, got, remedy);

/** The finding if the wearer could not, or would not, do what the check needs. */
export const noHand = (why: string): Finding => notJudged(why);
