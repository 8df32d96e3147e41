/** What others wrote (titles, marks, reasons, notes, names) reaches a terminal, a log line, a summary or a GitHub command as plain text only. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';
import { RunningSandbox, run } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

/** A window title, a colour, two line ends, both forms of a workflow command, a C1 sequence, a turned line, Markdown and HTML. */
const HOSTILE =
  'A\u001b]0;pwned\u0007\u001b[31mB\r\n::error::forged\n  ::warning::forged ##[error]forged\u009b2J\u202eC\u2028D\u007f`|<img src=x>[l](x)';
const quoted = JSON.stringify(HOSTILE).replace(
  /[\u007f-\uffff]/g,
  (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Our own lines only, and nothing in them that a terminal obeys. */
function expectPlain(what: string, text: string): void {
  expect([what, UNPRINTABLE.exec(text)?.[0] ?? null]).toEqual([what, null]);
  const forged = text
    .split('\n')
    .filter((line) => /^\s*::(error|warning)::forged|^\s*(B|D)?\s*::warning::forged/.test(line));
  // Nobody reads a page line by line.
  if (!what.endsWith('.html')) expect([what, forged]).toEqual([what, []]);
}

const SCENARIO = `
scenario: ${quoted}
about: ${quoted}
tags: [smoke]
site:
  name: Plant
  origin: [43, -8]
  zones:
    Yard: {type: work_area, box: [0, 0, 100, 100]}
    Gate: {type: assembly_point, box: [100, 0, 140, 40], serves: [general]}
workers:
  ana: {in: Yard}
steps:
  - mark: ${quoted}
  - sos: {who: ana}
    note: ${quoted}
    as: call
  - expect: {alert: sos, of: ana}
    as: alert
  - acknowledge: {alert: $alert, by: ${quoted}, via: panel}
  - resolve: {alert: $alert, by: ${quoted}, reason: ${quoted}, note: ${quoted}, via: panel}
  - start_muster: {kind: general, by: ${quoted}, reason: ${quoted}}
    as: drill
  - exclude_point: {muster: $drill, point: Gate, reason: ${quoted}, by: ${quoted}}
  - expect: {muster: $drill, reason: "no such reason"}
  - check: {alert: $alert, assigned_to: ${quoted}, title: ${quoted}}
`;

describe('a scenario full of escape sequences', () => {
  const file = join(folder.path, 'hostile.scenario.yaml');
  beforeAll(() => writeFileSync(file, SCENARIO));

  test.each([
    ['on a pipe', {}, run],
    ['in a GitHub job', { GITHUB_ACTIONS: 'true', CI: 'true' }, runHere],
  ] as const)('is told in plain text %s', async (_, env, how) => {
    const out = join(folder.path, `reports-${Object.keys(env).length}`);
    const summary = join(folder.path, `step-summary-${Object.keys(env).length}.md`);
    writeFileSync(summary, '');
    const args = ['run', file, '--report', 'html,junit,json,md,github', '--out', out];
    const { code, stdout, stderr } = await how(args, { env: { ...env, GITHUB_STEP_SUMMARY: summary } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('\\u001b]0;pwned')]);
    expectPlain('stdout', stdout);
    expectPlain('stderr', stderr);
    // Ours begin with their own properties.
    for (const line of `${stdout}\n${stderr}`.split('\n'))
      if ('CI' in env && /^\s*::|##\[/.test(line)) expect(line).toMatch(/^::error file=/);
    for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((one) =>
      /\.(md|xml|html|json)$/.test(one),
    )) {
      const text = readFileSync(join(out, name), 'utf8');
      expectPlain(name, text);
      if (/\.(html|xml)$/.test(name)) expect([name, text.includes('<img src=x>')]).toEqual([name, false]);
    }
    const markdown = readFileSync(join(out, 'summary.md'), 'utf8') + readFileSync(summary, 'utf8');
    expectPlain('summary.md', markdown);
    const [heading] = markdown.split('\n').filter((line) => line.startsWith('### '));
    expect(heading).toContain('\\\\u000a::error::forged');
    expect(heading).not.toMatch(/(?<!\\)[`|<[]/);
  });

  test.each([['list'], ['validate']])('%s shows it in plain text', async (command) => {
    const { stdout, stderr } = await runHere([command, file]);
    expectPlain(command, stdout);
    expectPlain(command, stderr);
  });
});

describe('a running sandbox that is told hostile texts', () => {
  const dataDir = join(folder.path, 'data');
  let sandbox: RunningSandbox;
  let ended: { stdout: string; stderr: string };
  beforeAll(async () => {
    sandbox = await RunningSandbox.up(['--data-dir', dataDir, '--watches', '12']);
    const { body } = await sandbox.act({ action: 'sos', who: 'W-001' });
    const { alert_id } = (body as { result: { alert_id: string } }).result;
    const update = {
      status: 'resolved',
      actor: { name: HOSTILE.slice(0, 100) },
      note: HOSTILE,
      resolution_reason: HOSTILE,
    };
    expect((await sandbox.call('PATCH', `/v1/alerts/${alert_id}`, await sandbox.token(), update)).status).toBe(200);
    const site = 'Terminal Puerto Alerce';
    const muster = await sandbox.act({ action: 'start_muster', kind: 'general', site, by: HOSTILE, reason: HOSTILE });
    expect(muster.status).toBe(200);
    await sandbox.call(
      'GET',
      `/v1/nothing/${encodeURIComponent(HOSTILE)}?x=${encodeURIComponent(HOSTILE)}`,
      await sandbox.token(),
    );
    const stranger = connectAsync(sandbox.ready.mqtt_url, {
      clientId: HOSTILE,
      username: HOSTILE,
      password: 'x',
      protocolVersion: 4,
      reconnectPeriod: 0,
    });
    await expect(stranger).rejects.toThrow();
  });

  test.each([
    'requests',
    'events',
    'deliveries',
    'watches',
    'mail',
  ])('logs %s are plain lines, and plain JSON', async (kind) => {
    const lines = await runHere(['logs', kind, '--data-dir', dataDir]);
    expectPlain(kind, lines.stdout);
    const json = await runHere(['logs', kind, '--json', '--data-dir', dataDir]);
    expectPlain(kind, json.stdout);
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'ok' });
    if (kind === 'watches') expect(lines.stdout).toContain('pwned');
  });

  test('JSON keeps what was written: the escape is one of JSON', async () => {
    const { stdout } = await runHere(['logs', 'events', '--json', '--data-dir', dataDir]);
    const { events } = JSON.parse(stdout).data as { events: { data: { muster?: { reason: string } } }[] };
    expect(events.flatMap(({ data }) => (data.muster === undefined ? [] : [data.muster.reason]))).toContain(HOSTILE);
  });

  test('trigger, dashboard --once and world in words are plain', async () => {
    for (const args of [
      ['trigger', 'sos', '--who', 'W-002'],
      ['trigger', 'sos', '--who', HOSTILE],
      ['dashboard', '--once'],
    ]) {
      const { stdout, stderr } = await runHere([...args, '--data-dir', dataDir]);
      expectPlain(args.join(' ').slice(0, 20), stdout + stderr);
    }
  });

  test('so is what up itself has said', async () => {
    ended = await sandbox.stop();
    expectPlain('stdout', ended.stdout);
    expectPlain('stderr', ended.stderr);
    expect(ended.stdout).toContain('watch-refused');
  });
});

describe('a site file', () => {
  const places: readonly [string, string][] = [
    [
      'name of the site',
      `site: {name: ${quoted}, origin: [43, -8], zones: {Yard: {type: work_area, box: [0, 0, 9, 9]}}}`,
    ],
    [
      'location',
      `site: {name: P, location: ${quoted}, origin: [43, -8], zones: {Yard: {type: work_area, box: [0, 0, 9, 9]}}}`,
    ],
    ['name of a zone', `site: {name: P, origin: [43, -8], zones: {${quoted}: {type: work_area, box: [0, 0, 9, 9]}}}`],
    [
      'name of a floor',
      `site: {name: P, origin: [43, -8], zones: {Yard: {type: building, box: [0, 0, 9, 9], floors: [{name: ${quoted}, height_m: 0}]}}}`,
    ],
    ...['name', 'role', 'contractor', 'external_id'].map((field): [string, string] => [
      `${field} of a worker`,
      `site: {name: P, origin: [43, -8], zones: {Yard: {type: work_area, box: [0, 0, 9, 9]}}}\nworkers: {ana: {in: Yard, ${field}: ${quoted}}}`,
    ]),
    [
      'short name of a worker',
      `site: {name: P, origin: [43, -8], zones: {Yard: {type: work_area, box: [0, 0, 9, 9]}}}\nworkers: {${quoted}: {in: Yard}}`,
    ],
    [
      'type of a vehicle',
      `site: {name: P, origin: [43, -8], zones: {Yard: {type: work_area, box: [0, 0, 9, 9]}}}\nworkers: {ana: {in: Yard}}\nvehicles: {van: {type: ${quoted}, in: Yard}}`,
    ],
  ];

  test.each(places)('refuses control characters in the %s, and says so in plain text', async (_, text) => {
    const file = join(folder.path, 'hostile-site.yaml');
    writeFileSync(file, `part: a plant\n${text}\n`);
    const { code, stdout, stderr } = await runHere(['validate', file]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/holds a control character|is not a/)]);
    expectPlain('validate', stdout + stderr);
  });
});

test('a word of the command line with control characters is refused, and forges no line of the message', async () => {
  for (const [args, words] of [
    [['run', 'a.yaml', '--seed', '4\n::error::forged\u001b[31m'], 'Write a whole number, such as 7, or random.'],
    [['explian\n::error::forged\u001b[31m'], 'Unknown command'],
    [['explain-delivery', 'a\n::error::forged\u001b[31m'], 'ID has a control character, U+000A, at character 2.'],
    [['trigger', 'sos', '--who', 'W-001\u001b[31m'], '--who has a control character, U+001B, at character 6.'],
  ] as const) {
    const { code, stdout, stderr } = await runHere(args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)]);
    expectPlain('stderr', stderr);
  }
});

test('logs mail prints the lines of an e-mail as lines, and shows other control characters', async () => {
  const text = 'Two deliveries were lost:\r\n- one\u001b[31m\n- two\n';
  const mail = { id: '1', at: '2026-10-05T06:00:00.000Z', to: 'tech@example.org', subject: 'Lost', text };
  const server = createServer((_request, response) => response.end(JSON.stringify({ data: [mail] })));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { stdout } = await runHere(['logs', 'mail'], { env: { SANDBOX_URL: url, SANDBOX_CONTROL_TOKEN: 'token' } });
  server.close();
  expect(stdout.split('\n').slice(1)).toEqual([
    '    Two deliveries were lost:',
    '    - one\\u001b[31m',
    '    - two',
    '',
  ]);
});
