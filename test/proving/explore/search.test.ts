/** `sandbox explore` as a search: what it takes for a finding, what it keeps, and what it refuses to call a pass. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../src/contract/enumerations.ts';
import { keepCorpus, keptCorpus } from '../../../src/proving/explore/kept.ts';
import { ownFolder } from '../../helpers/own-folder.ts';
import { unless } from '../../helpers/unless.ts';
import { isWhole, sampled, withoutWhole } from '../../helpers/whole.ts';
import { exploreText, searched } from './inboxes.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const SCENARIOS = isWhole ? 25 : 2;

function fileOf(name: string, text: string): string {
  const file = join(folder.path, `${name}.explore.yaml`);
  writeFileSync(file, text);
  return file;
}

describe('a search', () => {
  for (const { row: inbox, skip } of sampled(['push', 'poll', 'musters'] as const, 3))
    unless(skip).test(`finds nothing in a right inbox: ${inbox}`, async () => {
      const end = await searched(fileOf(`right-${inbox}`, exploreText(inbox)), { mostScenarios: SCENARIOS, seed: '3' });
      expect(end).toMatchObject({ error: null, finding: null, scenarios: SCENARIOS });
      expect(end.features.length).toBeGreaterThan(20);
    });

  test('a scenario that broke a rule is kept beside the file, the search goes on for the other rules, and the next one tries it first', async () => {
    const file = fileOf('kept', `${exploreText('push', 'test-is-real')}moves: {tried: [{webhook: {test: inbox}}]}\n`);
    const mostScenarios = isWhole ? 6 : 2;
    const first = await searched(file, { mostFindings: 9, mostScenarios, shrinkMs: 1_000 });
    const { findings, scenarios } = first;
    expect(new Set(findings.map(({ rule }) => rule.line)).size).toBe(findings.length);
    expect({ found: findings.length > 0, scenarios }).toEqual({ found: true, scenarios: mostScenarios });
    expect(first.finding).toMatchObject({ kept: false, steps: 1 });
    expect(readdirSync(join(folder.path, 'kept.found'))).toHaveLength(findings.length);
    const again = await searched(file, { seed: '99', shrinkMs: 0 });
    // The empty scenario comes first, which shows that everything can be reached.
    expect(again.finding).toMatchObject({ kept: true, story: 2, rule: { line: first.finding?.rule.line } });
  });

  test('a system that does not start is reported with its line and its last output', async () => {
    const text = exploreText('push').replace(/start: .*/, 'start: "echo no database; exit 3"');
    const end = await searched(fileOf('start', text));
    expect(end.error).toMatchObject({ exitCode: 3, code: 'system_not_reachable' });
    expect(end.error?.message).toMatch(
      /start\.explore\.yaml:2 {2}Your system does not play .*exit code 3.*no database/s,
    );
  });

  test('a system that ends during a scenario is a finding at its own line', async () => {
    // An earthquake has no zone; the user's own moves are played first.
    const moves = 'moves: {shakes: [{hazard: {kind: earthquake, magnitude: 6, distance_km: 40, site: Harbour}}]}\n';
    const text = `${exploreText('push', 'null-zone').replace(/ {2}- never: .*\n/, '')}${moves}`;
    const { finding } = await searched(fileOf('ends', text), { shrinkMs: 2_000 });
    expect(finding?.rule).toMatchObject({ line: 3, text: 'your system' });
    expect(finding?.rule.why).toMatch(/it ended with exit code 1.*TypeError/s);
  });

  unless(withoutWhole).test('finds each rule that one mistake breaks, each once', async () => {
    const file = fileOf('several', exploreText('push', 'dedupe-by-alert'));
    const { findings } = await searched(file, { mostFindings: 2, mostScenarios: 80, shrinkMs: 3_000 });
    expect(new Set(findings.map(({ rule }) => rule.line)).size).toBe(findings.length);
    expect(findings).toHaveLength(2);
  });

  unless(withoutWhole).test('a break that does not repeat each time is kept with its rate and its log', async () => {
    const file = fileOf('at-times', exploreText('push', 'at-times'));
    const moves =
      'moves:\n  again: [{sos: {who: ana}, as: it}, {resolve: {alert: $it, by: Desk}}, {reopen: {alert: $it, by: Desk}}]\n';
    writeFileSync(file, `${readFileSync(file, 'utf8')}${moves}`);
    const { finding } = await searched(file, { mostScenarios: 60 });
    expect(finding?.flaky?.of).toBe(10);
    expect(finding?.flaky?.broke).toBeLessThan(10);
    expect(finding?.text).toMatch(/^# Flaky: it broke in \d of 10 plays\.$/m);
    expect(readdirSync(finding?.record ?? '')).toContain('run.jsonl');
  });

  unless(
    withoutWhole,
  ).test('a scenario after which the system cannot be reset ends no search: it is written, and the system is started anew', async () => {
    const file = fileOf('deaf', exploreText('push', 'deaf'));
    const { error, unplayed, scenarios } = await searched(file, { mostScenarios: 30 });
    expect({ error, scenarios }).toEqual({ error: null, scenarios: 30 });
    expect(unplayed[0]?.error.message).toMatch(/reset \/reset answers 500/);
    expect(unplayed[0]?.error.message).not.toContain('searched.scenario.yaml');
  });

  // test/proving/explore/scenarios.test.ts has what its scenarios are made of.
  unless(
    withoutWhole,
  ).test('meets every transition of alerts and musters that the specification names within 50 scenarios', async () => {
    const file = fileOf('transitions', 'explore: Nothing of ours\nrules:\n  - never: {alert: heat_stress}\n');
    const { features, scenarios } = await searched(file, { mostScenarios: 50 });
    expect(scenarios).toBe(50);
    const met = (type: string) => features.some((feature) => feature.startsWith(`${type} `));
    expect(EVENT_TYPES.filter((type) => !met(type))).toEqual([]);
    expect(features).toEqual(
      expect.arrayContaining([
        ...[
          'alert.acknowledged > alert.resolved',
          'alert.resolved > alert.reopened',
          'alert.reopened > alert.resolved',
        ],
        ...['muster.ended general completed', 'muster.ended general cancelled', 'muster.kind_changed tsunami active'],
      ]),
    );
  });

  test('what one search met is where the next one begins', async () => {
    const file = fileOf('corpus', exploreText('push'));
    const first = await searched(file, { mostScenarios: isWhole ? 6 : 1 });
    keepCorpus(file, first.corpus);
    expect(keptCorpus(file).map(({ steps }) => steps)).toEqual(first.corpus.map(({ steps }) => steps));
    const crowded = { plant: { crowd: { crew: { count: 25 } }, system: { start: 'false' } }, steps: [], seed: 1 };
    keepCorpus(file, [crowded]);
    // The workers that it brings stay, and a command does not.
    expect(keptCorpus(file)[0]?.plant).toEqual({ crowd: crowded.plant.crowd });
  });

  test('steps of the user’s own are moves of the search, with names of their own', async () => {
    const moves =
      'moves:\n  leak: [{hazard: {kind: tsunami_risk, site: Harbour}, as: leak}, {resolve: {alert: $leak, by: Desk}, after: 2m}]\n';
    const { statistics } = await searched(fileOf('moves', `${exploreText('push')}${moves}`), {
      mostScenarios: isWhole ? 50 : 2,
    });
    expect(statistics.moves['moves.leak']?.scenarios).toBeGreaterThan(0);
    const wrong = await searched(fileOf('wrong-moves', `${exploreText('push')}${moves.replace('$leak', '$lek')}`));
    expect(wrong.error?.message).toMatch(/\$lek/);
  });

  test('a rule that had nothing to judge is named, and is no pass', async () => {
    const text = `${exploreText('push')}  - every: {event: alert.created, object: {type: heat_stress}}
    as: e
    followed_by: {alert: $e.object, status: resolved}
    within: 1m
`;
    const end = await searched(fileOf('idle', text), { mostScenarios: 2 });
    expect(end.idle.map(({ line }) => line)).toContain(text.split('\n').length - 4);
  });

  test('a probe that does not answer is reported at the start, with its line', async () => {
    const text = exploreText('push').replace('get: /pages', 'get: /nothing');
    const end = await searched(fileOf('probe', text));
    expect(end.error).toMatchObject({ exitCode: 3, code: 'probe_not_reachable' });
    expect(end.error?.message).toMatch(/probe\.explore\.yaml:12 .*"pages".*\/nothing answers 404/);
  });

  test('a receiver at an address where nothing listens is reported at the start, with its line', async () => {
    const text = exploreText('push').replace('url: /hook', 'url: "http://127.0.0.1:9/hook"');
    const end = await searched(fileOf('receiver', text));
    expect(end.error).toMatchObject({ exitCode: 3, code: 'receiver_not_reachable' });
    expect(end.error?.message).toContain('receiver.explore.yaml:9');
  });

  test.each([
    ['rules: []', 'There is nothing to search for'],
    ['rules:\n  - always: {probe: opn, distinct: true}', '"opn" is not a probe. Did you mean "open"?'],
    ['rules:\n  - always: {probe: open, same_as: {muster: active}}', 'Write {alerts: open} or {musters: active}.'],
    ['rules:\n  - always: {probe: open, same_as: {musters: activ}}', 'Did you mean "active"?'],
    ['rules:\n  - always: {probe: open, same_as: {musters: all, kinf: tsunami}}', 'Did you mean "kind"?'],
    ['steps: []', 'The scenarios are made, so there is no "steps" to write.'],
  ])('a wrong file is refused: %s', async (rest, message) => {
    const text = `explore: x\nsystem: {start: "true"}\nprobes: {open: {get: /open}}\n${rest}\n`;
    const end = await searched(fileOf('wrong', text));
    expect(end.error?.exitCode).toBe(2);
    expect(end.error?.message).toContain(message);
  });
});
