/** A numbered check of `sandbox certify`: what it needs, how it judges, and what its outcome says. */

import { roughDuration } from '../../base/time/durations.ts';
import { RETRIED_FOR, RETRY_TIMES } from '../../contract/resources/retry-schedule.ts';
import type { ApiClientWatch } from './api-client-watch.ts';
import type { CraftedDelivery, DeliveryMaker } from './deliveries.ts';
import type { PagesProbe, ReceiverProbe, SecretAddress } from './probe.ts';
import type { ReceiverProcess } from './receiver-process.ts';
import type { Exchange } from './send.ts';

/**
 * `advice`: the contract allows the behaviour, but another one is better. `not_judged`: something that the check needs
 * is missing.
 */
const CHECK_RESULTS = ['passed', 'failed', 'advice', 'not_judged'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** The groups of `certify --watch`. */
const WATCH_GROUPS = {
  connect: 'How it connects',
  reports: 'What it reports by itself',
  wearer: 'What its wearer does',
  alerts: 'Alerts and falls',
  outage: 'When the network fails',
  muster: 'During a muster',
  downlink: 'What the service sends',
  record: 'Over the whole conversation',
} as const;

export const CHECK_GROUPS = {
  genuine: 'What is genuine is accepted',
  forged: 'What is forged is refused',
  time: 'Timestamps',
  http: 'HTTP',
  state: 'What it holds afterwards',
  rotation: 'Secret rotation',
  client: 'Its own calls of the API',
  pages: 'Whom it pages',
  rotated: 'Rotations, without a restart',
  restart: 'Rotations, with a restart after each',
  ...WATCH_GROUPS,
} as const;
export type CheckGroup = keyof typeof CHECK_GROUPS;

/** What a check found. Sentences are for people; `exchanges` are the requests with their answers. */
export interface Finding {
  readonly result: CheckResult;
  readonly sent: string;
  readonly got: string;
  /** What the service in production does in this case; null if it does the same as after a success. */
  readonly production: string | null;
  /** Null when nothing has to change. */
  readonly fix: string | null;
  readonly exchanges: readonly Exchange[];
  /** Packets of a watch during the check, one per line. */
  readonly trace?: readonly string[];
  /** The machine was too busy to judge by its time, twice. The result is then `not_judged`, and certify does not succeed. */
  readonly isInconclusive?: true;
}

/** True for a finding about the receiver, false where there was nothing to judge. */
export const isJudged = ({ result }: Finding): boolean => result !== 'not_judged';

/** What checks can use. A member is null if the user did not give it; checks that need it are then not judged. */
export interface CheckBench {
  readonly make: DeliveryMaker;
  /** How long production waits for an answer; wall milliseconds. */
  readonly answerLimitMs: number;
  /** `limitMs`: wall milliseconds until the answer counts as missing; default: `answerLimitMs`. */
  send(delivery: CraftedDelivery, limitMs?: number): Promise<Exchange>;
  /** Resolves in the first part of a second of the wall clock, with that second. */
  earlyInSecond(): Promise<number>;
  readonly probe: ReceiverProbe | null;
  readonly pages: PagesProbe | null;
  readonly secretTo: SecretAddress | null;
  readonly client: ApiClientWatch | null;
  readonly process: ReceiverProcess | null;
  /** How long certify waits for the receiver's own calls of the API; wall milliseconds. */
  readonly clientWaitMs: number;
}

export const CHECK_NEEDS = {
  probe: {
    flag: '--probe URL',
    help: '--probe URL names an address of the receiver that returns its alerts and musters.',
  },
  pages: {
    flag: '--probe-pages URL',
    help: '--probe-pages URL names an address of the receiver that returns the people that it paged for which alert.',
  },
  secretTo: {
    flag: '--secret-to URL',
    help: '--secret-to URL names an address of the receiver that accepts a new secret by POST.',
  },
  client: {
    flag: '--start-command CMD or --api-port N',
    help: '--start-command CMD, or --api-port N: the receiver then calls the API of a sandbox that certify boots.',
  },
  process: {
    flag: '--start-command CMD',
    help: '--start-command CMD lets certify restart the receiver with another secret.',
  },
} as const;
type CheckNeed = keyof typeof CHECK_NEEDS;

/** The description of a check in reports. */
export interface JudgedCheck {
  /** `W` for checks of watches; absent for checks of webhook receivers. */
  readonly series?: 'W';
  readonly number: number;
  readonly group: CheckGroup;
  /** A sentence about a receiver, or a watch, that passes. */
  readonly title: string;
  /** A clause of the API specification, of the decisions, or of the watch protocol. */
  readonly clause: string;
}

/** The name of a check, such as `12` or `W12`. */
export const checkName = ({ series, number }: Pick<JudgedCheck, 'series' | 'number'>): string =>
  `${series ?? ''}${number}`;

export interface ReceiverCheck extends JudgedCheck {
  readonly needs: readonly CheckNeed[];
  /** The check is not judged if one of these failed, because the same cause would fail this check too. */
  readonly requires?: readonly number[];
  /** True if the check is judged even if the first checks failed. */
  readonly isIndependent?: true;
  /**
   * Set if certify can be too late to notice a failure, so that a pass depends on its time too. Returns the judged limit;
   * wall milliseconds.
   */
  timedMs?(bench: CheckBench): number;
  judge(bench: CheckBench): Promise<Finding>;
}

/**
 * The clause as a citation, such as `[spec 6.4]`. Citations of the decisions and of the watch protocol name these
 * instead.
 */
export const clauseText = ({ clause }: Pick<JudgedCheck, 'clause'>): string =>
  /^(?:decisions|watch-protocol)/.test(clause) ? `[${clause}]` : `[spec ${clause}]`;

/** The retry schedule of production. [spec 6.5-7, decisions 7] */
export const RETRIES = `Production counts this as a failed attempt. It tries again at ${RETRY_TIMES}. After that, the delivery is lost, and your technical contact gets an e-mail. The destination stays active and shows failing_since.`;

export const NOT_FOLLOWED = `Production does not follow redirects. It counts the reply as a failed attempt and tries again for ${RETRIED_FOR}. After that, the delivery is lost, and your technical contact gets an e-mail.`;

export const FORGED =
  'Production never sends this, but anyone who finds the address can. Your system would act on an alert that does not exist.';

export const passed = (sent: string, got: string, exchanges: readonly Exchange[] = []): Finding => ({
  result: 'passed',
  sent,
  got,
  production: null,
  fix: null,
  exchanges,
});

export const failed = (
  sent: string,
  got: string,
  { production, fix, exchanges = [] }: { production: string; fix: string; exchanges?: readonly Exchange[] },
): Finding => ({ result: 'failed', sent, got, production, fix, exchanges });

export const advice = (sent: string, got: string, fix: string, exchanges: readonly Exchange[] = []): Finding => ({
  result: 'advice',
  sent,
  got,
  production: null,
  fix,
  exchanges,
});

/**
 * The finding if certify's own timers were late in both tries, or in the first one and the second had nothing to judge.
 * `lateMs`: the last lateness.
 */
export const inconclusive = ({ sent, exchanges }: Finding, lateMs: number): Finding => ({
  ...notJudged(
    `inconclusive: this machine was busy, and a timer of certify came ${roughDuration(lateMs)} late; a second try decided nothing either`,
    'Run certify again, on a machine that has processor time left.',
  ),
  sent,
  exchanges,
  isInconclusive: true,
});

export const notJudged = (why: string, fix: string | null = null): Finding => ({
  result: 'not_judged',
  sent: 'nothing',
  got: why,
  production: null,
  fix,
  exchanges: [],
});
