/** What of the contract a user's programs have met: `exec --coverage`, `status --coverage`, and the route. [cli, Coverage] */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { CoverageView } from '../../src/contract/operations/coverage.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { isWhole } from '../helpers/whole.ts';
import { Receiver } from '../service/webhooks/receiver.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';

const folder = ownFolder();
const file = join(folder.path, 'coverage.json');
let sandbox: SandboxHere;
beforeAll(async () => {
  sandbox = await SandboxHere.up(['--data-dir', folder.path, '--watches', '8', '--seed', '7']);
});
afterAll(async () => {
  await sandbox.stop();
  folder.remove();
});

const view = async (): Promise<CoverageView> => {
  const { stdout } = await runHere(['status', '--coverage', '--json', '--data-dir', folder.path]);
  return JSON.parse(stdout).data.coverage;
};
const metIn = ({ companies }: CoverageView) => companies.flatMap(({ met }) => met.map(({ id }) => id));

describe('the coverage of a running sandbox', () => {
  test('has what a client of the user has met, and nothing of what our own commands did', async () => {
    await runHere(['trigger', 'sos', '--who', 'W-001', '--data-dir', folder.path]);
    expect(metIn(await view())).toEqual([]);
    const token = await sandbox.token();
    for (const path of ['/v1/sites', '/v1/alerts?status=unacknowledged', '/v1/alerts/none'])
      await fetch(`${sandbox.ready.api_url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const met = metIn(await view());
    expect(met).toEqual(
      expect.arrayContaining([
        'operations/listSites',
        'operations/listAlerts',
        'alerts/sos',
        'refusals/not_found',
        'tokens/reused',
      ]),
    );
    expect(met).not.toContain('operations/listMusters');
  });

  test('a client sees its own company, and a floor that is missed ends with 1 and names what is missing', async () => {
    const token = await sandbox.token();
    const answer = await fetch(`${sandbox.ready.api_url}/v1/sandbox/coverage`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { companies } = (await answer.json()) as CoverageView;
    expect(companies.map(({ organization }) => organization)).toEqual([sandbox.ready.clients[0]?.organization]);
    const missed = await runHere([
      'status',
      '--coverage',
      '--coverage-floor',
      'operations=80',
      '--data-dir',
      folder.path,
    ]);
    expect(missed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/coverage of operations is [23]\/19 .*listZones/),
    });
    const kept = await runHere([
      'status',
      '--coverage',
      '--coverage-floor',
      'operations=10',
      '--data-dir',
      folder.path,
    ]);
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringMatching(/^COVERAGE .*\n {2}operations +[23]\/19 █/) });
    // What is printed to be run next finds the same sandbox.
    const commands = kept.stdout.split('\n').filter((line) => / (?:trigger|status) /.test(line));
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) expect(command).toContain(`--data-dir ${folder.path}`);
  });

  test('counts deliveries that the user’s own receiver has accepted', async () => {
    const receiver = await Receiver.start();
    onTestFinished(() => receiver.close());
    const { control_token, api_url } = sandbox.ready;
    const session = await fetch(`${api_url}/v1/sandbox/destinations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ forward_to: String(receiver.url) }),
    });
    expect(session.status).toBeLessThan(300);
    await runHere(['trigger', 'call-request', '--who', 'W-001', '--data-dir', folder.path]);
    await expect.poll(async () => metIn(await view())).toContain('events/alert.created');
  });
});

describe('the coverage of a command', () => {
  const script = join(folder.path, 'client.mjs');
  writeFileSync(
    script,
    `const { SANDBOX_API_URL: url, SANDBOX_CLIENT_ID: client_id, SANDBOX_CLIENT_SECRET: client_secret } = process.env;
const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
const { access_token } = await (await fetch(url + '/v1/oauth/token', { method: 'POST', body })).json();
await (await fetch(url + process.argv[2], { headers: { authorization: 'Bearer ' + access_token } })).text();
process.exit(Number(process.argv[3] ?? 0));
`,
  );
  const exec = (path: string, flags: readonly string[], code = 0) =>
    runHere(['exec', '--watches', '3', ...flags, '--', process.execPath, script, path, String(code)], {
      cwd: folder.path,
    });

  test('is written, united with the next one, and read again without a sandbox', async () => {
    expect((await exec('/v1/sites', ['--coverage', file])).code).toBe(0);
    const second = await exec('/v1/workers', ['--coverage', file]);
    expect(second.stderr).toMatch(/COVERAGE .* \d+ of 192 items, 4 requests, 0 deliveries\n {2}operations +3\/19/);
    const read = await runHere([
      'status',
      '--coverage',
      file,
      '--report',
      'html,md',
      '--out',
      join(folder.path, 'out'),
    ]);
    expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('3/19') });
    expect(readFileSync(join(folder.path, 'out', 'report.html'), 'utf8')).toContain('GET /v1/workers succeeded.');
    expect(existsSync(join(folder.path, 'out', 'summary.md'))).toBe(true);
  });

  test('a floor that is missed ends a command that succeeded with 1; one that failed keeps its own code', async () => {
    const floor = ['--coverage-floor', 'operations=100'];
    expect((await exec('/v1/sites', floor)).code).toBe(1);
    expect((await exec('/v1/sites', floor, 7)).code).toBe(7);
  });

  test('runs count what the user’s own receiver accepts, also in several processes', async () => {
    const receiver = await Receiver.start();
    onTestFinished(() => receiver.close());
    const scenario = join(folder.path, 'one.scenario.yaml');
    const zones = '{Dock: {type: work_area, box: [0, 0, 90, 90]}}';
    const steps = '  - sos: {who: ana}\n  - expect: {delivery: erp, result: delivered}\n    within: 5s\n';
    writeFileSync(
      scenario,
      `scenario: One\nsite: {name: P, origin: [43, -8], zones: ${zones}}\nworkers: {ana: {in: Dock}}\nreceivers: {erp: {url: "${receiver.url}", events: [alert.*]}, inner: {events: [alert.*]}}\nsteps:\n${steps}`,
    );
    const own = join(folder.path, 'run.json');
    const { code, stderr } = await runHere(['run', scenario, '--coverage', own, '--coverage-floor', 'events=5']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/COVERAGE .* 0 requests, 1 delivery\n/)]);
    const jobs = await runHere([
      'run',
      scenario,
      '--seeds',
      '1..2',
      ...(isWhole ? ['--jobs', '2'] : []),
      '--coverage',
      own,
    ]);
    expect(jobs.stderr).toMatch(/0 requests, 3 deliveries\n[\s\S]*PASSED {2}2 passed/);
    // A path is one of the user's system.
    const system = join(folder.path, 'system.scenario.yaml');
    const { origin, pathname } = new URL(receiver.url);
    const ofSystem = readFileSync(scenario, 'utf8').replace(`"${receiver.url}"`, pathname);
    writeFileSync(system, ofSystem.replace('steps:', `system: {url: "${origin}", reset: /reset}\nsteps:`));
    const passedOn = await runHere(['run', system, '--coverage', join(folder.path, 'system.json')]);
    expect([passedOn.code, passedOn.stderr]).toEqual([
      0,
      expect.stringMatching(/COVERAGE .* 0 requests, 1 delivery\n/),
    ]);
    const reports = join(folder.path, 'reports');
    const floored = ['run', scenario, '--coverage-floor', 'events=50', '--report', 'html,md,json', '--out', reports];
    const below = await runHere(floored);
    expect([below.code, below.stderr]).toEqual([
      1,
      expect.stringMatching(/\nFAILED {2}1 passed, 0 failed {3}coverage below its floor {3}/),
    ]);
    const [html, md, report] = ['report.html', 'summary.md', 'report.json'].map((name) =>
      readFileSync(join(reports, name), 'utf8'),
    ) as [string, string, string];
    expect(html).toContain('<h2>Coverage of the contract</h2>');
    expect(md).toContain('| events | 1 of 12 |');
    expect(JSON.parse(report).coverage.companies[0].deliveries).toBe(1);
  });

  test.each([
    ['another catalogue', ['--coverage', 'other.json'], 'is of another catalogue'],
    ['a file that is no coverage', ['--coverage', 'client.mjs'], 'client.mjs'],
    ['an unknown group', ['--coverage-floor', 'operation=80'], 'Did you mean "operations"?'],
    ['a floor without a number', ['--coverage-floor', 'operations'], 'GROUP=PERCENT'],
  ])('%s is wrong usage, and the command does not start', async (_what, flags, text) => {
    writeFileSync(join(folder.path, 'other.json'), JSON.stringify({ data: { coverage: { catalogue: 'older' } } }));
    const { code, stderr } = await exec('/v1/sites', flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});
