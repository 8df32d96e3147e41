/** The steps `expect: {alert: sos, of: ana}`, `wait_for` and `check`. */
import { formatDuration } from '../../../base/time/durations.ts';
import { quoted } from '../../../contract/sentences.ts';
import type { CheckSubject } from '../../judging/subject.ts';
import { shownSpan } from '../../model/draws.ts';
import type { ScenarioReading } from '../../model/read-matcher.ts';
import { type SearchStart, written } from '../../model/references.ts';
import type { CheckBody, Limit } from '../../model/scenario.ts';
import { condition, reportProbe } from '../read-condition.ts';
import { type Beside, defineStep, type Step, type StepDeclaration } from '../step.ts';

/** Default of `within`; ms. [scenario-language, fine print] */
export const DEFAULT_LIMIT_MS = 5_000;

type CheckDeclaration = Pick<StepDeclaration<CheckSubject>, 'group' | 'help' | 'example' | 'modifiers'>;

function defineCheck(
  verb: Exclude<CheckBody['verb'], 'never'>,
  { group, help, example, modifiers }: CheckDeclaration,
): Step {
  return defineStep({
    word: verb,
    group,
    help,
    example,
    modifiers,
    value: condition(verb, 'The condition.'),
    mutation: { kind: 'details' },
    permission: permissionOfCheck,
    read: (subject, at, beside) => {
      if (reportProbe(subject, at)) return null;
      const forMs = readHeld(beside, at);
      if (forMs === undefined || reportIdleSince(subject, beside, at)) return null;
      if (forMs !== null && !subject.lasts)
        return at.mistake(`"for" is for what lasts; this ${subject.word} is over at once. Delete "for".`, 'key');
      const limit = verb === 'check' ? { min: 0, max: 0 } : (beside.within ?? { min: 0, max: DEFAULT_LIMIT_MS });
      const lasting = forMs === null ? '' : ` for ${formatDuration(forMs)}`;
      const text = `${verb} ${subject.text}${lasting}${verb === 'check' ? '' : ` within ${shownLimit(limit)}`}${shownSince(beside.since)}`;
      const body: CheckBody = { kind: 'check', verb, subject, limit, forMs: forMs ?? 0, since: beside.since };
      return { body, text, names: subject.names };
    },
  });
}

export const EXPECT = defineCheck('expect', {
  group: 'checks',
  help: 'Waits until the condition is true. If it is not true within the limit, the run fails and continues.',
  example: '{alert: sos, of: ana, severity: critical}',
  modifiers: ['within', 'since', 'for', 'as'],
});

export const WAIT_FOR = defineCheck('wait_for', {
  group: 'flow',
  help: 'Waits until the condition is true. If it is not true within the limit, the run stops.',
  example: '{muster: $m, totals: {safe: ">= 12"}}',
  modifiers: ['within', 'since', 'for', 'as'],
});

export const CHECK = defineCheck('check', {
  group: 'checks',
  help: 'Checks that the condition is true at this instant.',
  example: '{alerts: open, count: 0}',
  modifiers: ['since', 'for', 'as'],
});

/** `never: {event: alert.created}` with `for: 5m`. */
export const NEVER = defineStep<CheckSubject, CheckBody>({
  word: 'never',
  group: 'checks',
  help: 'Checks that the condition does not become true for the given time.',
  example: '{event: alert.created, of: ana}',
  exampleModifiers: 'for: 1m',
  modifiers: ['since', 'for'],
  value: condition('never', 'The condition.'),
  mutation: { kind: 'inverted' },
  permission: permissionOfCheck,
  read: (subject, at, beside) => {
    if (reportProbe(subject, at)) return null;
    const forMs = readHeld(beside, at);
    if (forMs === undefined || reportIdleSince(subject, beside, at)) return null;
    if (forMs === null)
      return at.mistake('"never" needs "for", the time for which it looks. Write for: 5m beside it.', 'key');
    const { since } = beside;
    const body: CheckBody = { kind: 'check', verb: 'never', subject, limit: { min: 0, max: forMs }, forMs, since };
    return { body, text: `never ${subject.text} for ${formatDuration(forMs)}${shownSince(since)}`, names: null };
  },
});

/** A client needs the scopes without which it cannot see the subject of the check. */
function permissionOfCheck({ subject }: CheckBody) {
  return { kind: 'scopes', scopes: subject.scopes } as const;
}

/** Reports `since` beside a check that looks at a state, wherever it began; returns true if there was one. */
function reportIdleSince({ searches, word }: CheckSubject, { since }: Beside, at: ScenarioReading): boolean {
  if (since === null || searches) return false;
  const message = `"since" has no effect: this check of ${quoted(word)} looks at the present state. Delete "since".`;
  at.report.mistake([...at.path.slice(0, -1), 'since'], message, 'key');
  return true;
}

const shownSince = (since: SearchStart | null): string =>
  since === null ? '' : ` since ${since === 'start' ? since : written(since)}`;

/** Reads `for` of a check, which is a duration, not a range; returns undefined after reporting a mistake. */
function readHeld({ forMs }: Beside, at: ScenarioReading): number | null | undefined {
  if (forMs === null || typeof forMs === 'number') return forMs;
  at.report.mistake(
    [...at.path.slice(0, -1), 'for'],
    `${shownSpan(forMs)} is a range, and a check draws nothing. Write ${formatDuration(forMs.max)}.`,
  );
  return undefined;
}

function shownLimit({ min, max }: Limit): string {
  return min === 0 ? formatDuration(max) : `${formatDuration(min)}..${formatDuration(max)}`;
}
