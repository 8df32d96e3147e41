/** `sandbox compare` and `sandbox proxy` as commands, with a running sandbox as the service. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere, StartedHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';

let service: SandboxHere;
let folder: string;
let client: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'compare-'));
  client = join(folder, 'client.json');
  const changed = ['--assume', 'unknown-parameters=ignored', '--assume', 'turned-window=empty'];
  service = await SandboxHere.up(['--memory', '--no-fleet', '--seed', '9', ...changed]);
  writeFileSync(client, JSON.stringify(service.ready.clients[0]));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const compare = (...args: string[]) =>
  runHere(['compare', '--to', service.ready.api_url, '--client', client, '--rate', '100000', ...args]);

describe('compare --to', () => {
  test('finds what differs, stores it as a profile, and with it nothing differs; a baseline knows it too', async () => {
    const profile = join(folder, 'profile.yaml');
    const pages = join(folder, 'pages');
    const first = await compare('--json', '--save', profile, '--out', pages);
    const files = ['report.html', 'junit.xml', 'report.json'].map((file) => join(pages, file));
    expect([first.code, first.stderr]).toEqual([1, files.map((file) => `report  ${file}\n`).join('')]);
    const { data } = JSON.parse(first.stdout);
    const others = data.open_points.filter(({ result }: { result: string }) => result === 'otherwise');
    expect(others.map(({ id, observed }: Record<string, string>) => [id, observed])).toEqual([
      ['unknown-parameters', 'ignored'],
      ['turned-window', 'empty'],
    ]);
    expect(first.stdout).not.toContain(service.ready.clients[0]?.client_secret);
    const html = readFileSync(join(pages, 'report.html'), 'utf8');
    expect(html).toContain('--assume turned-window=empty');
    expect(html).toContain(service.ready.api_url.replace('://', '&#58;//'));
    expect(html).toContain('100000 requests a minute');
    expect(html).not.toContain(service.ready.clients[0]?.client_secret);
    expect(readFileSync(profile, 'utf8')).toContain('  unknown-parameters: "ignored"\n');
    expect(JSON.parse(readFileSync(join(pages, 'report.json'), 'utf8'))).toEqual(JSON.parse(first.stdout));
    expect((await compare('--baseline', join(pages, 'report.json'))).code).toBe(0);
    const company = service.ready.clients[0]?.client_id;
    const limits = { action: 'limits', company, requests_per_minute: 10_000 };
    expect((await service.act(limits)).status).toBe(200);
    const again = await compare('--profile', profile, '--allow-writes', 'destinations');
    const wrong = again.stdout.split('\n').filter((line) => /^✗| times?; the/.test(line));
    expect([again.code, wrong]).toEqual([0, []]);
    expect(again.stderr).toMatch(/PASSED {2}\d+ same, 0 different, .*0 kinds of deviation {3}0 open points otherwise/);
    // What is the same shares lines.
    expect(again.stdout.split('\n').length).toBeLessThan(60);
    expect(again.stdout).toMatch(/\d+ not judged: needs --allow-writes acknowledge=ALERT_ID/);
    expect(again.stdout).not.toContain('needs --allow-writes destinations');
    const token = await service.token();
    expect((await service.call('GET', '/v1/webhooks', token)).body).toEqual({ data: [] });
  });

  test.each([
    [['--allow-writes', 'everything'], /is not something that compare can write/],
    [['--allow-writes', 'acknowledge=x'], /is not something that compare can write/],
    [['--profile', 'nowhere.yaml'], /The profile file nowhere.yaml does not exist/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await compare(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('proxy', () => {
  test('passes requests on, judges them, and leaves a HAR without secrets', async () => {
    const har = join(folder, 'session.har');
    const args = [
      'proxy',
      '--to',
      service.ready.api_url,
      '--har',
      har,
      '--client',
      client,
      '--json',
      '--out',
      join(folder, 'passed'),
    ];
    const proxy = await StartedHere.start(args);
    const { api_url: url } = await proxy.line(({ kind }) => kind === 'ready');
    const token = await service.token();
    const answer = await fetch(`${url}/v1/sites`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    expect(await proxy.end('SIGTERM')).toBe(0);
    const { data } = JSON.parse(proxy.stdout.trimEnd().split('\n').at(-1) ?? '');
    expect(data.deviations).toEqual([]);
    expect(data.judged).toMatchObject({ 'GET /v1/sites': 1, 'GET /v1/events': expect.any(Number) });
    const text = readFileSync(har, 'utf8');
    expect(JSON.parse(text).log.entries).toHaveLength(1);
    expect(text).not.toContain(token);
    const page = (out: string) => readFileSync(join(folder, out, 'report.html'), 'utf8');
    expect(page('passed')).toContain(`<dt>forwarded to</dt><dd>${service.ready.api_url.replace('://', '&#58;//')}`);
    const recorded = ['--report', 'html', '--out', join(folder, 'recorded')];
    expect((await runHere(['compare', '--recorded', har, ...recorded])).code).toBe(0);
    const html = page('recorded');
    expect(html).toContain('<span class="verdict passed">nothing differs</span>');
    expect(html).not.toContain(token);
  });
});
