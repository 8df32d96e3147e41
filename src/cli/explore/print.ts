/** The result of a search on the terminal: a line for each rule, findings as a whole, and the verdict as the last line. [cli] */

import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import { plural } from '../../contract/sentences.ts';
import { type FoundScenario, type Suspicion, slowText, unfinishedOf } from '../../proving/explore/findings.ts';
import { sameRule } from '../../proving/explore/play.ts';
import type { SearchEnd } from '../../proving/explore/search.ts';
import { FEW_JUDGED, type JudgedRule } from '../../proving/explore/statistics.ts';
import { namedWallTime } from '../../proving/explore/wall-time.ts';
import { ruleFailureText } from '../../scenario/judging/failure-text.ts';
import { paintedFailure } from '../../scenario/reporting/plain-writer.ts';
import { colourOf, talk, talkLine } from '../output.ts';
import { verdictLine } from '../verdict.ts';

type RuleResult = 'passed' | 'failed' | 'not_judged';

const LONGER = 'search longer: --minutes 10.';

/** Maximum number of moves that are named. The reports have all. */
const MOST_MOVES = 8;

const isIdle = ({ idle }: SearchEnd, { line }: JudgedRule): boolean => idle.some((one) => one.line === line);

function resultOf(end: SearchEnd, rule: JudgedRule): RuleResult {
  if (end.findings.some((one) => sameRule(one.rule, rule))) return 'failed';
  return isIdle(end, rule) ? 'not_judged' : 'passed';
}

/** Prints how often each rule was judged, the moves, what to look at, and the findings. */
export function printSearch(end: SearchEnd): void {
  const paint = colourOf(process.stderr);
  const { rules, moves } = end.statistics;
  for (const rule of rules) {
    const { glyph, token } = CHECK_TERMS[resultOf(end, rule)];
    const { file, line, text, scenarios, slow } = rule;
    const often = `${plural(scenarios, 'scenario')}${slow === 0 ? '' : `, slow in ${slow}`}`;
    talkLine(`${paint(token, glyph)} ${file}:${line}  ${text}  ${paint('dim', often)}`);
  }
  const used = Object.entries(moves).toSorted(([, a], [, b]) => b.scenarios - a.scenarios);
  const more = used.length > MOST_MOVES ? ` and ${used.length - MOST_MOVES} others` : '';
  const moved = used.slice(0, MOST_MOVES).map(([name, { scenarios }]) => `${name} ${scenarios}`);
  if (moved.length > 0) talkLine(paint('dim', `moves  ${moved.join(', ')}${more}`));
  const times = namedWallTime(end.statistics.wall_ms_by).map(({ name, pct }) => `${name} ${pct} %`);
  if (times.length > 0) talkLine(paint('dim', `time   ${times.join(', ')}`));
  for (const warning of [...fewWarnings(end), ...otherWarnings(end)])
    talkLine(`${paint('amber', 'warning')}  ${warning}`);
  for (const finding of end.findings) printFinding(finding);
}

const fewOf = ({ statistics }: SearchEnd): JudgedRule[] =>
  statistics.rules.filter(({ scenarios }) => scenarios < FEW_JUDGED);

/** Two warnings at most for the rules that were judged too seldom. */
function fewWarnings(end: SearchEnd): string[] {
  const few = fewOf(end).filter((one) => resultOf(end, one) !== 'failed');
  const placesOf = (rules: readonly JudgedRule[]) => rules.map(({ file, line }) => `${file}:${line}`).join(', ');
  const [idle, seldom] = [few.filter((one) => isIdle(end, one)), few.filter((one) => !isIdle(end, one))];
  return [
    ...(idle.length === 0
      ? []
      : [
          `No scenario had anything to judge for ${placesOf(idle)}. Check the objects that are named there, or ${LONGER}`,
        ]),
    ...(seldom.length === 0
      ? []
      : [`Judged in fewer than ${FEW_JUDGED} scenarios: ${placesOf(seldom)}. To be surer, ${LONGER}`]),
  ];
}

const otherWarnings = ({ slow, suspicions, unplayed }: SearchEnd): string[] => [
  ...slow.map(slowText),
  ...suspicions.map(shownSuspicion),
  ...unplayed.map(({ error, path }) => `${path}  could not be played to its end: ${error.message}`),
];

/** The warnings of the reports: one for each rule. */
export function warningsOf(end: SearchEnd): string[] {
  const few = fewOf(end);
  return [
    ...few.map((rule) => {
      const { file, line, text, scenarios } = rule;
      const often = isIdle(end, rule)
        ? 'no scenario had anything for this rule to judge'
        : `judged in ${plural(scenarios, 'scenario')} only`;
      return `${file}:${line}  ${text}: ${often}. Check the objects that the rule names, or ${LONGER}`;
    }),
    ...otherWarnings(end),
  ];
}

const shownSuspicion = ({ rule, rate: { of }, path }: Suspicion): string =>
  `${rule.file}:${rule.line}  ${rule.text}: broken once with a short patience, and in 0 of ${of} runs with its full patience. The scenario is ${path}.`;

function printFinding({ rule, source, path, text, again, flaky, record, ...found }: FoundScenario): void {
  const how = found.kept
    ? 'in an earlier search, and it still breaks'
    : `in scenario ${found.story} after ${(found.foundMs / 1_000).toFixed(1)} s`;
  const unfinished = unfinishedOf({ flaky, ...found });
  const size = `shortened from ${plural(found.foundSteps, 'step')} to ${found.steps} in ${found.tries} ${found.tries === 1 ? 'try' : 'tries'}`;
  const lines = {
    found:
      flaky !== null
        ? `${how}; not shortened, because it does not break each time`
        : found.confirmed
          ? `${how}; ${size}`
          : how,
    ...(unfinished.length === 0 ? {} : { open: unfinished.join('; ') }),
    ...(flaky === null
      ? {}
      : { flaky: `broke again in ${flaky.broke} of ${flaky.of} runs; the log of one is in ${record}` }),
    decided: found.decided.text.replace(/^decided /, ''),
    file: path,
    again,
  };
  talk('');
  talk(paintedFailure(ruleFailureText({ ...rule, text: source }, rule.why, lines), colourOf(process.stderr)));
  talk(`\n${text.trimEnd()}\n`);
}

/** The last line. `report`: the path of the report that a person opens first. */
export function printVerdict(end: SearchEnd, seed: string, interrupted: boolean, report: string | null): void {
  const { idle, scenarios, features, wallMs, statistics, findings } = end;
  const countOf = (result: RuleResult) => statistics.rules.filter((one) => resultOf(end, one) === result).length;
  const word = findings.length > 0 ? 'FAILED' : interrupted ? 'INTERRUPTED' : idle.length > 0 ? 'NOT JUDGED' : 'PASSED';
  const counts = [
    `${plural(findings.length, 'rule')} broken`,
    `${countOf('passed')} held`,
    ...(idle.length === 0 ? [] : [`${countOf('not_judged')} not judged`]),
  ].join(', ');
  const pace = Math.round((scenarios * 60_000) / Math.max(wallMs, 1));
  const facts = [
    `${plural(scenarios, 'scenario')} (${pace} a minute)`,
    `${plural(features.length, 'situation')} met`,
    `seed ${seed}`,
    `${(wallMs / 1_000).toFixed(1)} s`,
  ];
  talk('');
  talkLine(verdictLine({ word, counts, facts, report }, colourOf(process.stderr)));
}
