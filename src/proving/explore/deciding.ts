/** The deciding moment of a finding: the last delivery or call about its object whose delay or loss lets the rule hold. */
import { formatClockTime } from '../../base/time/instants.ts';
import type { GeneratedScenario } from './generated-scenario.ts';
import type { BrokenRule, GeneratedScenarioPlayer } from './play.ts';
import {
  LONGEST_WAIT_MS,
  type Moment,
  SystemTraffic,
  type TrafficChange,
  type TrafficChangeKind,
  UUID,
} from './traffic.ts';

/** Most changes that are tried for one finding. */
const MOST_TRIES = 20;

/** Most lines of the order of events in a file, of which these are its beginning. */
const MOST_LINES = 30;
const FIRST_LINES = 10;

/** Equal moments in sequence, such as the calls of a retry loop. */
interface RepeatedMoment extends Moment {
  readonly times: number;
}

export interface DecidingMoment {
  /** Null: not determined. */
  readonly moment: Moment | null;
  /** The change of the moment that lets the rule hold. */
  readonly change: TrafficChangeKind | null;
  /** Changes that were tried, of those that are possible, and after how many of them the rule held. */
  readonly tried: number;
  readonly possible: number;
  readonly passed: number;
  /** Why no moment was determined; null: one was. */
  readonly why: string | null;
  /** The steps, and the deliveries and calls about the object of the break, in order. */
  readonly order: readonly RepeatedMoment[];
  /** A sentence for people, without its end. */
  readonly text: string;
}

interface DecidingParts {
  readonly player: Pick<GeneratedScenarioPlayer, 'play' | 'isOver'>;
  /** No play goes on after this time by `monotonicMs()`. */
  readonly endMs: number;
  /**
   * How long the system has at the end of a limit; wall ms. Absent: the patience of the file. A short one makes more tries in the same
   * time: a change with which the rule would hold later counts as one that does not help, and none that helps is wrong.
   */
  readonly patienceMs?: number | undefined;
}

const NOTHING_TRIED = { tried: 0, possible: 0, passed: 0, order: [] };

export const notDetermined = (why: string, tried: Partial<DecidingMoment> = {}): DecidingMoment => ({
  ...NOTHING_TRIED,
  ...tried,
  moment: null,
  change: null,
  why,
  text: `not determined: ${why}`,
});

/** Time for the attempt after 2 minutes of a delayed delivery, and for a judgement after it. */
const LAST_STEP = { wait: '3m' };

/** The system has answered before the next step, so that a race decides nothing; wall ms. */
const PACED = { paceMs: 100 };

/** Further plays if this machine was too busy to judge the first one. */
const MOST_INCONCLUSIVE = 3;

const NO_TIME = 'the time was over';

/** Plays the scenario once as it is, and then with one delivery or call changed at a time, the last one first. */
export async function decidingMoment(
  scenario: GeneratedScenario,
  rule: BrokenRule,
  { player, endMs, patienceMs }: DecidingParts,
): Promise<DecidingMoment> {
  const how = { ...PACED, patienceMs, decide: { ms: 0, rule }, endMs };
  const steps = [...scenario.steps, LAST_STEP];
  if (player.isOver) return notDetermined(NO_TIME);
  let recorded = new SystemTraffic(null, scenario.steps.length);
  let first = await player.play({ ...scenario, steps }, { ...how, traffic: recorded });
  for (let left = MOST_INCONCLUSIVE; first.isInconclusive === true && left > 0 && !player.isOver; left--) {
    recorded = new SystemTraffic(null, scenario.steps.length);
    first = await player.play({ ...scenario, steps }, { ...how, traffic: recorded });
  }
  if (first.isCut || player.isOver) return notDetermined(NO_TIME);
  if (first.broken === null) return notDetermined('the rule held when the scenario was played once more');
  const { moments } = recorded;
  const objectId = first.broken.objectId ?? idNamedIn(first.broken.why, moments);
  const [near, far] = [[], []] as [Moment[], Moment[]];
  for (const one of moments.toReversed())
    if (one.key !== null && isAbout(one, objectId)) (isNear(one) ? near : far).push(one);
  const passed: { readonly moment: Moment; readonly change: TrafficChangeKind }[] = [];
  let [plays, tried] = [0, 0];
  let isCut = false;
  const possible = near.length + far.length;
  for (const group of [near, byDistance(far, near)])
    for (const moment of passed.length === 0 || group === near ? group : [])
      for (const change of changesOf(moment, moments)) {
        isCut ||= plays++ >= MOST_TRIES || player.isOver;
        if (isCut) break;
        const traffic = new SystemTraffic(change);
        const played = await player.play({ ...scenario, steps }, { ...how, traffic });
        isCut ||= played.isCut;
        if (isCut) break;
        // The moment did not come in this play, or a delayed delivery did not arrive before its end.
        if (!traffic.isChanged || played.isInconclusive === true) continue;
        tried++;
        if (played.broken !== null || played.error !== null || played.refused.length > 0) continue;
        passed.push({ moment, change: change.kind });
        break;
      }
  const last = passed.toSorted((a, b) => moments.indexOf(b.moment) - moments.indexOf(a.moment))[0];
  const isShown = (one: Moment) =>
    one === last?.moment || one.kind === 'step' || (isAbout(one, objectId) && isTelling(one));
  const order = inSequence(moments.filter(isShown), last?.moment);
  const counts = { tried, possible, passed: passed.length, order };
  if (last === undefined) return notDetermined(whyNot({ isCut, plays, tried, possible }), counts);
  const triedText = `tried ${tried}, passed ${passed.length}`;
  const text = `decided at ${momentText(last.moment, moments)}: ${holdsText(last.moment, last.change)}; ${triedText}`;
  return { ...last, ...counts, why: null, text };
}

function whyNot({
  isCut,
  plays,
  tried,
  possible,
}: Record<'plays' | 'tried' | 'possible', number> & { readonly isCut: boolean }): string {
  if (possible === 0) return 'no delivery and no call about its object came before the break';
  if (!isCut) return `the rule breaks whichever delivery or call is changed; tried ${tried}`;
  return `${plays > MOST_TRIES ? `more than ${MOST_TRIES} tries are needed` : NO_TIME}; tried ${tried}, passed 0`;
}

/** Returns the first id in a text that is one of an alert or muster of these moments. */
const idNamedIn = (text: string, moments: readonly Moment[]): string | undefined =>
  text.match(UUID)?.find((id) => moments.some(({ objects }) => objects.includes(id)));

/** Counts equal moments in sequence. `alone`: a moment that is not counted with others. */
function inSequence(moments: readonly Moment[], alone: Moment | undefined): RepeatedMoment[] {
  const order: RepeatedMoment[] = [];
  for (const one of moments) {
    const before = order.at(-1);
    const isSame = before?.kind === one.kind && before.what === one.what && before.answer === one.answer;
    const isAlone = one === alone || before?.key === alone?.key;
    if (before === undefined || !isSame || isAlone) order.push({ ...one, times: 1 });
    else order[order.length - 1] = { ...before, times: before.times + 1 };
  }
  return order;
}

/** True for a moment of the object, and for a call that names no object, such as that of a list. */
const isAbout = ({ objects }: Moment, objectId: string | undefined): boolean =>
  objectId === undefined || objects.length === 0 || objects.includes(objectId);

/** True for what concerns the object itself, which is tried first: a delivery, a call that names it, or one that was refused. */
const isNear = ({ objects, isRefused }: Moment): boolean => objects.length > 0 || isRefused;

/** Sorts calls by their distance in time from what is known to concern the object, because lists are read all the time. */
function byDistance(far: readonly Moment[], near: readonly Moment[]): readonly Moment[] {
  const distanceOf = ({ atMs }: Moment) => Math.min(...near.map((one) => Math.abs(one.atMs - atMs)));
  return near.length === 0 ? far : far.toSorted((a, b) => distanceOf(a) - distanceOf(b));
}

/** Lists are read all the time. They are shown if they were not answered as they should be. */
const isTelling = (one: Moment): boolean => isNear(one) || !/^2\d\d$/.test(one.answer ?? '');

function changesOf(moment: Moment, all: readonly Moment[]): TrafficChange[] {
  const key = moment.key as string;
  if (moment.kind === 'call') {
    if (moment.isRefused) return [{ key, kind: 'spared' }];
    const refused = { key, kind: 'refused' } as const;
    return isNear(moment) ? [refused, { key, kind: 'delayed' }] : [refused];
  }
  const [id] = moment.objects;
  const next = all.slice(all.indexOf(moment) + 1).find(({ kind, key: other, objects, event, atMs }) => {
    const isOther = kind === 'delivery' && other !== null && event !== moment.event;
    return isOther && objects.includes(id ?? '') && atMs - moment.atMs < LONGEST_WAIT_MS;
  });
  return [
    { key, kind: 'delayed', after: next?.key ?? undefined },
    { key, kind: 'dropped' },
  ];
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];

const ordinal = (nth: number): string => ORDINALS[nth - 1] ?? `${nth}th`;

const answerText = ({ answer }: Moment): string =>
  answer === null ? 'not answered' : /^\d/.test(answer) ? `answered ${answer}` : answer.replace(/\.$/, '');

/** Returns for example `the second delivery of alert.created, answered 204 after the newer alert.acknowledged`. */
function momentText(moment: Moment, all: readonly Moment[]): string {
  const { kind, what, objects, nth, event } = moment;
  const at = all.indexOf(moment);
  if (kind === 'call') {
    const calls = all.slice(0, at + 1).filter((one) => one.kind === 'call' && one.what === what).length;
    return `the ${ordinal(calls)} call ${shortened(what)}, ${answerText(moment)}`;
  }
  const isPeer = (one: Moment) => one.kind === 'delivery' && one.key !== null && one.objects[0] === objects[0];
  const [before, after] = [all.slice(0, at).filter(isPeer), all.slice(at + 1).filter(isPeer)];
  const newer = before.findLast((one) => one.event > event);
  const older = after.find((one) => one.event < event);
  const isRepeated = before.some((one) => one.event === event);
  const place =
    newer !== undefined
      ? ` after the newer ${newer.what}`
      : older !== undefined
        ? ` before the older ${older.what}`
        : isRepeated
          ? ', the same event once more'
          : '';
  return `the ${ordinal(nth)} delivery of ${what}, ${answerText(moment)}${place}`;
}

function holdsText({ kind }: Moment, change: TrafficChangeKind): string {
  switch (change) {
    case 'delayed':
      return `the rule holds if it ${kind === 'call' ? 'is answered 1 s later' : 'comes later'}`;
    case 'dropped':
      return 'the rule holds without it';
    case 'refused':
      return 'the rule holds if the API answers 503';
    case 'spared':
      return 'the rule holds if the API refuses nothing from then on';
  }
}

/** Only the beginnings of ids. */
const shortened = (text: string): string => text.replace(/\b([0-9a-f]{8})-[0-9a-f-]{27}\b/g, '$1…');

/** The order of events with their answers, and the decision, as lines of a file. */
export function decisionLines({ order, moment, text }: DecidingMoment): string[] {
  const lines = order.map((one) => {
    const { kind, atMs, what, times, key } = one;
    const end = kind === 'step' ? '' : `: ${answerText(one)}`;
    const often = times === 1 ? '' : `, ${times} times`;
    const here = key !== null && key === moment?.key ? '  (decided here)' : '';
    return `  ${formatClockTime(atMs)}  ${kind.padEnd(8)}  ${shortened(what)}${end}${often}${here}`;
  });
  const more = lines.length - MOST_LINES;
  if (more > 0) lines.splice(FIRST_LINES, more, `  ${more} more`);
  return [
    ...(lines.length === 0 ? [] : ['Order, in simulated time:', ...lines]),
    `${text[0]?.toUpperCase()}${text.slice(1)}.`,
  ];
}
