/** `sandbox mcp` with the official client: what a coding agent does with a sandbox, and what it may not. [cli, mcp] */
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { SandboxInHand } from '../../src/cli/mcp/sandbox-in-hand.ts';
import { SANDBOX_TOOLS } from '../../src/cli/mcp/sandbox-tools.ts';
import { ACTION_NAMES } from '../../src/contract/actions.ts';
import { RateLimiter } from '../../src/service/api/access/limits.ts';
import { allRoutes } from '../../src/service/api/routes/all.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { COMMAND } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function connected(...flags: string[]) {
  const client = new Client({ name: 'test agent', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...COMMAND, 'mcp', ...flags],
    cwd: folder.path,
    env: process.env as Record<string, string>,
    stderr: 'pipe',
  });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError = false, content } = await client.callTool({ name, arguments: args });
    const [first] = content as { text: string }[];
    return { isError, text: first?.text ?? '', answer: JSON.parse(first?.text ?? 'null') };
  };
  return { client, call, transport };
}

async function agent(...flags: string[]) {
  const one = await connected(...flags);
  ends.push(() => one.client.close());
  return one;
}

/** One for the tests that leave no sandbox with it: a process of its own takes a second of processor time. */
let shared: ReturnType<typeof connected> | undefined;
const sharedAgent = () => (shared ??= connected());
afterAll(async () => (await shared)?.client.close());

async function receiver() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(204).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ends.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies };
}

describe('an agent', () => {
  test('starts a sandbox, raises an SOS, waits for its delivery, reads what came of it, and stops', async () => {
    const { call } = await sharedAgent();
    const { url, bodies } = await receiver();
    const { answer: started } = await call('start_sandbox', { watches: 6, forward_to: url });
    expect(started).toMatchObject({
      api_url: expect.stringMatching(/^http:/),
      webhook_secret: expect.stringMatching(/^whsec_/),
    });
    const [who] = started.workers as string[];
    const { answer: acted } = await call('perform_action', { action: 'sos', fields: { who } });
    const alertId = acted.result.alert_id as string;
    const { answer: found } = await call('wait_for', {
      delivery: 'any',
      match: { about: alertId, result: 'delivered' },
      within: '30s',
    });
    expect(found.kind).toBe('delivery');
    expect(JSON.parse(bodies[0] ?? '{}').data.alert.id).toBe(alertId);
    const { answer: events } = await call('read_events', { limit: 1 });
    expect(events.events).toMatchObject([{ type: 'alert.created', about: { id: alertId, type: 'sos' } }]);
    const { answer: deliveries } = await call('read_deliveries');
    expect(deliveries.deliveries).toMatchObject([
      { event_type: 'alert.created', result: 'delivered', status: 204, url },
    ]);
    const { answer: explained } = await call('explain_delivery', { event_id: events.events[0].id });
    expect(JSON.stringify(explained)).toContain('attempts');
    const { answer: changed } = await call('call_api', {
      method: 'PATCH',
      path: `/v1/alerts/${alertId}`,
      body: { status: 'acknowledged', actor: { name: 'Agent' } },
    });
    expect(changed).toMatchObject({ status: 200, body: { status: 'acknowledged' } });
    const { answer: status } = await call('sandbox_status');
    expect(status.open_alerts).toMatchObject([{ id: alertId, status: 'acknowledged' }]);
    expect((await call('advance_clock', { by: '10m' })).isError).toBe(false);
    expect((await call('stop_sandbox')).answer).toEqual({ stopped: true });
    // The port is free again: nothing answers there.
    await expect(fetch(`${started.api_url}/v1/alerts`)).rejects.toThrow('fetch failed');
  });

  test('writes a scenario, which is checked, and runs it', async () => {
    const { call } = await sharedAgent();
    const { answer: example } = await call('example_scenario');
    const wrong = await call('write_scenario', {
      file: 'a.scenario.yaml',
      yaml: example.yaml.replace('- sos:', '- soss:'),
    });
    expect(wrong).toMatchObject({
      isError: true,
      answer: { details: [expect.stringContaining('Did you mean "sos"?')] },
    });
    expect(existsSync(join(folder.path, 'a.scenario.yaml'))).toBe(false);
    expect((await call('validate_scenario', { yaml: example.yaml })).answer.valid).toBe(true);
    expect((await call('write_scenario', { file: 'a.scenario.yaml', yaml: example.yaml })).isError).toBe(false);
    expect((await call('write_scenario', { file: 'a.scenario.yaml', yaml: example.yaml })).answer.error).toContain(
      'overwrite: true',
    );
    expect((await call('explain_word', { word: 'delivered' })).isError).toBe(false);
    const { answer: run } = await call('run_scenario', { file: 'a.scenario.yaml' });
    expect(run.runs).toMatchObject([{ verdict: 'passed', failures: [] }]);
  });

  unless(withoutWhole).test('reads what failed in a run', async () => {
    const { call } = await sharedAgent();
    const { answer: example } = await call('example_scenario');
    const failing = example.yaml.replaceAll('alert.resolved', 'alert.reopened');
    await call('write_scenario', { file: 'a.scenario.yaml', yaml: failing, overwrite: true });
    const { answer: failed } = await call('run_scenario', { file: 'a.scenario.yaml' });
    expect(failed.runs).toMatchObject([{ verdict: 'failed', failures: [expect.anything()] }]);
  });

  test('an impossible call of an agent is refused with what to do', async () => {
    const { call } = await sharedAgent();
    const refused: readonly (readonly [string, Record<string, unknown>, string])[] = [
      ['perform_action', { action: 'sos', fields: { who: 'W-001' } }, 'Call start_sandbox first'],
      ['perform_action', { action: 'soss' }, 'Did you mean "sos"?'],
      ['wait_for', { evnt: 'alert.created' }, 'not valid'],
      ['write_scenario', { file: '../a.scenario.yaml', yaml: 'scenario: x' }, 'outside of'],
      ['write_scenario', { file: 'notes.txt', yaml: 'scenario: x' }, 'not valid'],
      ['run_scenario', { file: 'nowhere.scenario.yaml' }, 'nowhere.scenario.yaml'],
      [
        'certify_receiver',
        { url: 'http://127.0.0.1:1/hook', secret: 'whsec_x', start_command: 'true' },
        '--allow-commands',
      ],
      ['start_sandboxes', {}, 'Did you mean "start_sandbox"?'],
    ];
    for (const [name, args, words] of refused) {
      const { isError, text } = await call(name, args);
      expect([name, isError, text.replaceAll('\\"', '"')]).toEqual([name, true, expect.stringContaining(words)]);
    }
  });

  const COMMANDS = 'commands.scenario.yaml';
  const writeCommands = () =>
    writeFileSync(
      join(folder.path, COMMANDS),
      `scenario: With a system\nsystem: {start: "touch started; exit 1"}\nsite: {name: P, origin: [1, 1], zones: {A: {type: work_area, box: [0, 0, 9, 9]}}}\nworkers: {ana: {in: A}}\nsteps: [{sos: {who: ana}}]\n`,
    );

  test('runs no scenario that starts commands', async () => {
    writeCommands();
    const { call } = await sharedAgent();
    const { isError, text } = await call('run_scenario', { file: COMMANDS });
    expect([isError, text]).toEqual([true, expect.stringContaining('touch started')]);
    expect(existsSync(join(folder.path, 'started'))).toBe(false);
  });

  unless(withoutWhole).test('runs one with --allow-commands', async () => {
    writeCommands();
    const { call } = await agent('--allow-commands');
    await call('run_scenario', { file: COMMANDS });
    expect(existsSync(join(folder.path, 'started'))).toBe(true);
  });

  test('an agent that leaves stops its sandbox', async () => {
    const { client, call, transport } = await agent();
    const { answer } = await call('start_sandbox', { watches: 4 });
    const pid = transport.pid!;
    await client.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect(fetch(`${answer.api_url}/v1/alerts`)).rejects.toThrow('fetch failed');
  });
});

describe('an agent with --data-dir', () => {
  /** An input for each tool that talks to a sandbox, with those calls that would replace the world. */
  const INPUTS: Readonly<Record<string, readonly object[]>> = {
    start_sandbox: [{}, { seed: '9', watches: 4 }],
    sandbox_status: [{}],
    describe_actions: [{}],
    perform_action: [{ action: 'limits', fields: { requests_per_minute: 600 } }],
    wait_for: [{ event: 'alert.created' }],
    advance_clock: [{ by: '1s' }],
    list_operations: [{}],
    call_api: [
      { method: 'GET', path: '/v1/alerts' },
      ...[
        { method: 'POST', path: '/v1/sandbox/reset', body: {} },
        { method: 'POST', path: '/v1/sandbox/snapshots/before/load', body: {} },
        { method: 'POST', path: '/v1/sandbox/clock', body: { speed: 60 } },
        { method: 'DELETE', path: '/v1/sandbox/destinations' },
        { method: 'POST', path: '/v1/../v1/sandbox/reset', body: {} },
      ],
    ],
    read_events: [{}],
    read_deliveries: [{}],
    explain_delivery: [{ event_id: '00000000-0000-4000-8000-000000000000' }],
    stop_sandbox: [{}, {}],
  };

  test('uses the running sandbox, and no tool resets, replaces or stops it', async () => {
    const dataDir = join(folder.path, 'joined');
    const running = await SandboxHere.up(['--data-dir', dataDir, '--watches', '12', '--seed', '7']);
    ends.push(() => running.stop());
    const { ready } = running;
    const answered = async (path: string, body?: object) => {
      const response = await fetch(`${ready.api_url}/v1/sandbox/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${ready.control_token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return [response.status, await response.json()] as const;
    };
    await answered('snapshots', { name: 'before' });
    expect((await answered('actions', { action: 'sos', who: 'W-001' }))[0]).toBe(200);
    const before = await answered('events');
    const sandbox = new SandboxInHand(dataDir);
    const context = { sandbox, allowsCommands: false, folder: folder.path, signal: new AbortController().signal };
    const call = async (name: string, input: object) => {
      try {
        return await SANDBOX_TOOLS.find((one) => one.name === name)?.run(input as never, context);
      } catch (error) {
        return { refused: (error as Error).message };
      }
    };
    expect(SANDBOX_TOOLS.map(({ name }) => name).sort()).toEqual(Object.keys(INPUTS).sort());
    expect(await call('start_sandbox', {})).toEqual({ refused: expect.stringContaining('without --data-dir') });
    expect(await call('sandbox_status', {})).toMatchObject({
      api_url: ready.api_url,
      open_alerts: [{ type: 'sos' }],
      clock: { speed: 1 },
    });
    for (const [name, inputs] of Object.entries(INPUTS))
      for (const input of inputs) {
        const answer = await call(name, input);
        expect([name, input, await answered('events')]).toEqual([name, input, before]);
        if (/reset|load|destinations|clock$/.test((input as { path?: string }).path ?? ''))
          expect([input, answer]).toEqual([input, { status: 403, body: expect.anything() }]);
      }
    expect(await call('stop_sandbox', {})).toMatchObject({ stopped: false, left: true });
    expect(await call('sandbox_status', {})).toEqual({ refused: expect.stringContaining('has left the sandbox') });
    await sandbox.stop();
    expect((await answered('events'))[0]).toBe(200);
  });

  test('is told when no sandbox runs in the folder', async () => {
    const { code, stderr } = await runHere(['mcp', '--data-dir', join(folder.path, 'nowhere')]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('No sandbox is running with the data folder')]);
  });

  unless(withoutWhole).test('leaves the sandbox running when it disconnects', async () => {
    const dataDir = join(folder.path, 'left');
    const running = await SandboxHere.up(['--data-dir', dataDir, '--watches', '12', '--no-fleet']);
    ends.push(() => running.stop());
    const { client, call, transport } = await agent('--data-dir', dataDir);
    expect((await call('start_sandbox')).isError).toBe(true);
    expect((await call('sandbox_status')).answer).toMatchObject({ api_url: running.ready.api_url });
    const pid = transport.pid!;
    await client.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await fetch(`${running.ready.api_url}/healthz`)).status).toBe(200);
  });
});

test('the tools know each action of the catalogue and each operation of the API, in schemas without words of our own', async () => {
  const { client, call } = await sharedAgent();
  const { tools } = await client.listTools();
  expect(JSON.stringify(tools)).not.toMatch(/"x-|\[decisions|\[spec/);
  expect(
    tools.every(({ description = '', inputSchema }) => description.length > 40 && inputSchema.type === 'object'),
  ).toBe(true);
  const performing = tools.find(({ name }) => name === 'perform_action')?.description ?? '';
  for (const action of ACTION_NAMES) expect(performing).toContain(action);
  const { answer } = await call('list_operations');
  const routes = allRoutes(new RateLimiter()).map(({ method, path }) => `${method} ${path} `);
  for (const one of routes) expect(answer.operations.some((line: string) => line.startsWith(one))).toBe(true);
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
