/** `sandbox certify`: what it prints and writes, and with which code it ends. [cli] */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { TestReceiver } from '../proving/certify/receiver.ts';
import { startTlsServer } from '../service/webhooks/tls.ts';
import { runHere, StartedHere } from './here.ts';

const folder = ownFolder();
let receiver: TestReceiver;
let broken: TestReceiver;
const SECRET = ['--secret', 'whsec_of_the_test_receiver'];

beforeAll(async () => {
  receiver = await TestReceiver.start();
  broken = await TestReceiver.start({
    mostBytes: 102_400,
    fits: (given, expected) => given.toLowerCase() === expected,
  });
});
afterAll(async () => {
  await receiver.close();
  await broken.close();
  folder.remove();
});

const dataOf = (stdout: string) => {
  const { data, error } = JSON.parse(stdout);
  expect(error).toBeNull();
  return data;
};

/** A receiver in a file of its own, up to what it does with a request that is `right` or not. */
const RECEIVER_HEAD = `import { createHmac } from 'node:crypto'; import { createServer } from 'node:http';
  createServer((request, response) => { let body = ''; request.on('data', (one) => { body += one; }); request.on('end', () => {
    const { 'x-service-timestamp': t, 'x-service-signature': s = '' } = request.headers;
    const right = s.split(',').includes('v1=' + createHmac('sha256', process.env.SANDBOX_WEBHOOK_SECRET).update(t + '.' + body).digest('hex'));`;

/** Where nothing listens. */
async function freeAddress(): Promise<string> {
  const free = await TestReceiver.start();
  await free.close();
  return free.url.href;
}

describe.concurrent('sandbox certify', () => {
  test('of a right receiver ends with 0', async () => {
    const { code, stdout } = await runHere(['certify', receiver.url.href, ...SECRET, '--only', '3-6']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('6 passed')]);
  });

  test('ends with 3 where a check was named that could not be judged, and says what it needs', async () => {
    const { code, stdout, stderr } = await runHere(['certify', receiver.url.href, ...SECRET, '--only', '3-12,39-59']);
    expect(code).toBe(3);
    expect(stderr).toContain('Check 41 was to be judged and could not be, and 18 more: it needs --probe URL.');
    expect(stdout).toContain('14 passed, 19 not judged');
    expect(stdout).toContain('not judged: it needs --probe URL');
    expect(stdout).not.toContain('FAILED');
  });

  test('of a broken receiver ends with 1, with reason and fix, in each form of report', async () => {
    const out = join(folder.path, 'all kinds');
    const flags = ['--only', '12,23', '--out', out];
    const { code, stdout, stderr } = await runHere(['certify', broken.url.href, ...SECRET, ...flags]);
    expect(code).toBe(1);
    expect(stdout).toContain('2 passed, 2 failed (12, 23)');
    expect(stdout).toContain('client_max_body_size');
    const files = ['report.html', 'junit.xml', 'report.json', 'summary.md'];
    expect(readdirSync(out).sort()).toEqual([...files].sort());
    for (const file of files) expect(stderr).toContain(`report  ${join(out, file)}\n`);
    const text = (file: string) => readFileSync(join(out, file), 'utf8');
    expect(JSON.parse(text('report.json')).data.counts).toMatchObject({ passed: 2, failed: 2 });
    expect(text('summary.md')).toContain('Webhook receiver: 2 passed, 2 failed');
    const document = new DOMParser().parseFromString(text('junit.xml'), 'text/xml');
    const cases = [...document.getElementsByTagName('testcase')];
    expect(
      cases.map((one) => [one.getAttribute('name')?.slice(0, 2), one.getElementsByTagName('failure').length]),
    ).toEqual([
      ...[
        ['01', 0],
        ['02', 0],
        ['12', 1],
        ['23', 1],
      ],
    ]);
    const page = text('report.html');
    for (const words of ['12 A large alert is accepted', 'What has to change', 'X-Service-Signature'])
      expect(page).toContain(words);
    expect(page).not.toMatch(/(?:src|href)="(?!#)/);
  });

  test('--json is one envelope, which also says that a check failed', async () => {
    const { code, stdout } = await runHere(['certify', broken.url.href, ...SECRET, '--only', '12', '--json']);
    const { counts, passed, checks } = dataOf(stdout);
    expect([code, passed, counts]).toEqual([1, false, { passed: 2, failed: 1, advice: 0, not_judged: 0 }]);
    expect(checks[2]).toMatchObject({ number: 12, result: 'failed', came_back: expect.stringMatching(/^413 in /) });
    expect(stdout).not.toContain('whsec_');
  });

  test('with the probe judges what is held', async () => {
    const args = ['--only', '41-50', '--probe', receiver.probe.href, '--json'];
    const { code, stdout } = await runHere(['certify', receiver.url.href, ...SECRET, ...args]);
    expect([code, dataOf(stdout).counts.passed]).toEqual([0, 12]);
  });

  test('with --client-wait the calls of the receiver are to be judged, and what is missing is said', async () => {
    const args = ['--probe', receiver.probe.href, '--client-wait', '1s', '--json'];
    const { code, stdout } = await runHere(['certify', receiver.url.href, ...SECRET, ...args]);
    const { error } = JSON.parse(stdout);
    expect([code, error.code]).toEqual([3, 'not_judged']);
    expect(error.message).toMatch(/^Check \d+ was to be judged .*: it needs --start-command CMD or --api-port N\.$/);
  });

  test('by a probe that does not answer nothing is judged: 3, and the reason is said', async () => {
    const other = await TestReceiver.start();
    await other.close();
    const gone = await runHere([
      'certify',
      receiver.url.href,
      ...SECRET,
      '--only',
      '41',
      '--probe',
      other.probe.href,
      '--json',
    ]);
    const { status, error } = JSON.parse(gone.stdout);
    expect([gone.code, status, error.code]).toEqual([3, 'error', 'not_judged']);
    expect(error.message).toMatch(/^Check 41 was to be judged and could not be: The probe .* does not answer JSON/);
    expect(error.details[2]).toMatchObject({
      result: 'not_judged',
      came_back: expect.stringContaining('does not answer JSON'),
    });
  });

  test('a receiver that is not there is no pass and no failure: 3, at the start', async () => {
    const other = await TestReceiver.start();
    await other.close();
    const { code, stdout, stderr } = await runHere(['certify', other.url.href]);
    expect([code, stdout]).toEqual([3, expect.not.stringContaining('✓')]);
    expect(stderr).toContain('cannot be reached');
    expect(stderr).toContain('--start-command');
    const { code: same, stdout: line } = await runHere(['certify', other.url.href, '--json']);
    expect([same, JSON.parse(line).error.code]).toEqual([3, 'receiver_not_reachable']);
  });

  test('a command that does not start the receiver is reported with what it printed', async () => {
    const { code, stderr } = await runHere([
      'certify',
      'http://127.0.0.1:9',
      '--start-command',
      'echo no such module; exit 1',
    ]);
    expect(code).toBe(3);
    expect(stderr).toContain('it ended with 1. It printed: no such module');
  });

  test('something that listens already is not taken for what was to be started', async () => {
    const { code, stderr } = await runHere(['certify', receiver.url.href, '--start-command', 'sleep 5']);
    expect(code).toBe(3);
    expect(stderr).toContain('Another program already listens');
  });

  test('--list prints each check with its clause, and --json the same', async () => {
    const { code, stdout } = await runHere(['certify', '--list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ 12 {2}A large alert is accepted {2}\[spec 2 Nearby\]/);
    const { checks } = dataOf((await runHere(['certify', '--list', '--json'])).stdout);
    expect(checks).toHaveLength(70);
  });

  test.each([
    [[], 'needs the address of a receiver'],
    [['ftp://127.0.0.1'], 'is not an address'],
    [['http://127.0.0.1', '--only', '71'], 'There is no check 71'],
    [['http://127.0.0.1', '--only', 'x'], 'numbers of checks'],
    [['http://127.0.0.1', '--probe', 'x'], '--probe x is not an address'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stderr } = await runHere(['certify', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('a receiver that runs already finds the API at --api-port, with the same credentials each time', async () => {
    const seen = [];
    for (const port of ['0', '0']) {
      const args = ['--only', '51', '--api-port', port, '--client-wait', '1s'];
      const { stdout } = await runHere(['certify', receiver.url.href, ...SECRET, ...args]);
      expect(stdout).toContain('the receiver made no call of the API');
      seen.push(/client +\S+, secret \S+/.exec(stdout)?.[0]);
    }
    expect(seen[0]).toBe(seen[1]);
    expect(seen[0]).toContain('austral_metales_y_puertos');
  });

  test('a receiver that comes back with its old secret fails the rotations', async () => {
    const file = join(folder.path, 'stuck.mjs');
    // It takes the secret of its first start for good.
    writeFileSync(
      file,
      `import { createHmac } from 'node:crypto'; import { createServer } from 'node:http';
       import { existsSync, readFileSync, writeFileSync } from 'node:fs';
       const kept = ${JSON.stringify(join(folder.path, 'secret'))};
       if (!existsSync(kept)) writeFileSync(kept, process.env.SANDBOX_WEBHOOK_SECRET);
       const secret = readFileSync(kept, 'utf8');
       createServer((request, response) => { let body = ''; request.on('data', (one) => { body += one; }); request.on('end', () => {
         const { 'x-service-timestamp': t, 'x-service-signature': s = '' } = request.headers;
         const right = 'v1=' + createHmac('sha256', secret).update(t + '.' + body).digest('hex');
         response.writeHead(s.split(',').includes(right) ? 204 : 401).end(); }); }).listen(process.env.PORT, '127.0.0.1');`,
    );
    const free = await TestReceiver.start();
    await free.close();
    const args = ['--start-command', `exec ${process.execPath} ${file}`, '--only', '58,59', '--json'];
    const { code, stdout } = await runHere(['certify', free.url.href, ...args]);
    const { checks } = dataOf(stdout);
    expect([code, checks.slice(2).map(({ result }: { result: string }) => result)]).toEqual([1, ['failed', 'failed']]);
  });

  test('a receiver that crashes fails the check that did it, and is started again', async () => {
    const file = join(folder.path, 'crashing.mjs');
    writeFileSync(
      file,
      `${RECEIVER_HEAD} if (right) { const { data } = JSON.parse(body); if (data.alert?.zone === null) process.exit(7); }
       response.writeHead(right ? 204 : 401).end(); }); }).listen(process.env.PORT, '127.0.0.1');`,
    );
    const args = ['--start-command', `exec ${process.execPath} ${file}`, '--only', '6,8', '--json'];
    const { code, stdout } = await runHere(['certify', await freeAddress(), ...args]);
    const { checks } = dataOf(stdout);
    expect([code, checks.map(({ result }: { result: string }) => result)]).toEqual([
      ...[1, ['passed', 'passed', 'failed', 'passed']],
    ]);
    expect(checks[2].came_back).toContain('the receiver crashed: it ended with 7');
  });

  unless(
    withoutWhole,
  ).test('a started receiver that makes no calls gets a warning about the checks that could not be judged', async () => {
    const file = join(folder.path, 'silent.mjs');
    writeFileSync(
      file,
      `${RECEIVER_HEAD} response.writeHead(right ? 204 : 401).end(); }); }).listen(process.env.PORT, '127.0.0.1');`,
    );
    const args = ['--start-command', `exec ${process.execPath} ${file}`, '--json'];
    const { stdout } = await runHere(['certify', await freeAddress(), ...args]);
    expect(JSON.parse(stdout).warnings).toContainEqual(
      expect.stringMatching(
        /^\d checks of its calls of the API could not be judged: .* --client-wait requests them\.$/,
      ),
    );
  });

  test('Ctrl-C ends it with 130, and what it started too', async () => {
    const file = join(folder.path, 'waiting.mjs');
    writeFileSync(
      file,
      `${RECEIVER_HEAD} response.writeHead(right ? 204 : 401).end(); }); }).listen(process.env.PORT, '127.0.0.1');`,
    );
    const address = await freeAddress();
    const args = [
      'certify',
      address,
      '--start-command',
      `exec ${process.execPath} ${file}`,
      '--client-wait',
      '1m',
      '--only',
      '51',
    ];
    const judging = await StartedHere.start(args);
    // Check 1 is judged: soon the receiver's calls are waited for.
    await judging.prints(/What is genuine is accepted/);
    expect(await judging.end()).toBe(130);
    await expect(fetch(address)).rejects.toThrow();
  });

  test('a certificate that nobody vouches for is refused, as in production, unless it is to be skipped', async () => {
    const server = await startTlsServer();
    const address = `https://127.0.0.1:${server.port}/hook`;
    const { code, stderr } = await runHere(['certify', address, '--only', '1']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('--skip-verify')]);
    expect((await runHere(['certify', address, '--only', '1', '--skip-verify'])).code).not.toBe(3);
    await server.close();
  });
});
