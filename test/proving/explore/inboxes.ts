/** The inboxes of test/proving/explore/systems as files of `sandbox explore`, each right or with one planted bug, and a search over one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../../../src/base/time/timers.ts';
import type { FoundScenario } from '../../../src/proving/explore/findings.ts';
import { keep } from '../../../src/proving/explore/kept.ts';
import type { GeneratedScenarioOutcome } from '../../../src/proving/explore/play.ts';
import { type SearchEnd, type SearchParts, search } from '../../../src/proving/explore/search.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { isWhole } from '../../helpers/whole.ts';

const SYSTEMS = join(import.meta.dirname, 'systems');

/** What each bug is, by its name in inbox.mjs, and which inbox has it. */
export const PLANTED_BUGS = [
  { bug: 'dedupe-by-alert', inbox: 'push', what: 'deduplicates by the id of the alert, not of the event' },
  { bug: 'last-arrival', inbox: 'push', what: 'keeps the version that arrives last, not the newest' },
  { bug: 'no-retry', inbox: 'push', what: 'acknowledges once, whatever the answer' },
  { bug: 'old-secret', inbox: 'push', what: 'keeps the first secret over rotations' },
  { bug: 'no-overlap', inbox: 'poll', what: 'polls what was created after the last alert that it saw' },
  { bug: 'late-created', inbox: 'push', what: 'ignores that an unknown alert was resolved' },
  { bug: 'test-is-real', inbox: 'push', what: 'takes a test event for an alert' },
  { bug: 'no-reopen', inbox: 'push', what: 'ignores that an alert was reopened' },
  { bug: 'stable-pages', inbox: 'poll', what: 'walks pages by the cursors of an earlier walk' },
  { bug: 'slow-answer', inbox: 'push', what: 'works for 5 s before it answers' },
  { bug: 'null-zone', inbox: 'push', what: 'crashes on an alert without a zone' },
  { bug: 'time-zone', inbox: 'poll', what: 'asks with the local time as if it were UTC' },
  { bug: 'no-cancel', inbox: 'musters', what: 'ignores that a muster was cancelled' },
  { bug: 'first-kind', inbox: 'musters', what: 'keeps the kind with which a muster began' },
] as const;

/** The outcome of a play in which every rule held. */
export const HELD: GeneratedScenarioOutcome = {
  broken: null,
  open: null,
  late: [],
  isCut: false,
  error: null,
  refused: [],
  begun: 2,
  features: new Set(),
  matched: [7],
  simulatedMs: 0,
};

/**
 * The text of the file; without a bug the inbox is right. A break takes the limit of its rule in wall time, so limits of inboxes
 * that do not poll are short.
 */
export function exploreText(inbox: 'push' | 'poll' | 'musters', bug = ''): string {
  const whole = readFileSync(join(SYSTEMS, `${inbox}.explore.yaml`), 'utf8');
  const text = inbox === 'poll' ? whole : whole.replaceAll('within: 30s', 'within: 5s');
  return text.replace('node inbox.mjs', `BUG=${bug} node ${join(SYSTEMS, 'inbox.mjs')}`);
}

/** Searches as the command does; a finding is written. */
export async function searched(
  file: string,
  options: Partial<SearchParts> = {},
): Promise<SearchEnd & { readonly finding: FoundScenario | null }> {
  const { findings, ...end } = await search({
    file,
    seed: '1',
    index: 0,
    processes: 1,
    mostFindings: 1,
    boot: bootStage,
    version: 'test',
    out: undefined,
    onProgress: () => {},
    mostScenarios: Number.POSITIVE_INFINITY,
    endMs: monotonicMs() + 120_000,
    lastMs: Number.POSITIVE_INFINITY,
    shrinkMs: 120_000,
    // test/proving/explore/deciding.test.ts is about that.
    decideMs: isWhole ? undefined : 0,
    ...options,
  });
  for (const one of findings) keep(one);
  return { ...end, findings, finding: findings[0] ?? null };
}
