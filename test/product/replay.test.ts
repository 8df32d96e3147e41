/** A recorded run once more: its deliveries to a real receiver, and its inputs through the engine. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootStage } from '../../src/sandbox/boot.ts';
import { VERSION } from '../../src/sandbox/version.ts';
import { runFile } from '../../src/scenario/playing/run-file.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';

const SCENARIO = `scenario: Somebody presses SOS
seed: 7
params: {pause: 5s}
site:
  name: Small plant
  origin: [43.3, -8.4]
  zones:
    Dock: {type: work_area, box: [0, 0, 200, 120]}
workers: {ana: {in: Dock}}
receivers: {erp: {events: [alert.*]}}
steps:
  - wait: $pause
  - sos: {who: ana}
  - expect: {event: alert.created, of: ana}
    as: sos
  - acknowledge: {alert: $sos.object, by: Desk 2}
  - expect: {delivery: erp, event: alert.acknowledged, result: delivered}
`;

const SECRET = 'whsec_of_a_replay';

interface Got {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly signedAt: number;
}

const folder = ownFolder();
const scenario = join(folder.path, 'sos.scenario.yaml');
const log = join(folder.path, 'out', 'run.jsonl');
let receiver: Server;
let url = '';
let status = 204;
const got: Got[] = [];

beforeAll(async () => {
  writeFileSync(scenario, SCENARIO);
  const set = { pause: '8s' };
  const out = join(folder.path, 'out');
  const result = await runFile(scenario, { mode: 'fast', boot: bootStage, sink: () => {}, version: VERSION, out, set });
  expect(result.verdict).toBe('passed');
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (bytes: Buffer) => chunks.push(bytes));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { headers } = request;
      const timestamp = String(headers['x-service-timestamp']);
      // Stripe's scheme is the same, so its verifier is an outside judge: it throws for a stale or foreign signature.
      const event = Stripe.webhooks.constructEvent(body, `t=${timestamp},${headers['x-service-signature']}`, SECRET);
      got.push({ id: event.id, type: event.type, body, signedAt: Number(timestamp) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});

afterAll(() => {
  receiver.close();
  folder.remove();
});

const replay = (...more: string[]) => runHere(['replay', log, ...more], { cwd: folder.path });

describe('sandbox replay --to', () => {
  test('sends the same bytes and ids in the same order, signed at this moment', async () => {
    const { code, stderr } = await replay('--to', url, '--secret', SECRET);
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 sent, 2 delivered, 0 failed')]);
    const events = readFileSync(join(folder.path, 'out', 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(got.map(({ body }) => body)).toEqual(events);
    expect(got.map(({ type }) => type)).toEqual(['alert.created', 'alert.acknowledged']);
    const [{ created_at: createdAt }] = events.map((body) => JSON.parse(body));
    // What happened in October is signed today.
    expect(got[0]?.signedAt).not.toBe(Date.parse(createdAt) / 1_000);
  });

  test('sends what is asked for only, and fails where the receiver does', async () => {
    got.length = 0;
    status = 500;
    const { code, stdout } = await replay('--to', url, '--secret', SECRET, '--only', 'alert.acknowledged', '--json');
    status = 204;
    const { data } = JSON.parse(stdout.trim());
    expect([code, got.length, data.sent, data.failed]).toEqual([1, 1, 1, 1]);
    expect(data.deliveries[0]).toMatchObject({ type: 'alert.acknowledged', status: 500 });
  });

  test('tells what is wrong with the asking', async () => {
    const outcomeOf = async (...flags: string[]) => {
      const { code, stderr } = await replay(...flags);
      return [code, stderr.split('\n')[0]];
    };
    expect(await outcomeOf()).toEqual([2, 'error  Write either --to URL or --inputs.']);
    expect(await outcomeOf('--to', url, '--only', 'alert.craeted')).toEqual([
      2,
      'error  --only alert.craeted is not an event type. Did you mean "alert.created"?',
    ]);
    expect(await outcomeOf('--to', url, '--receiver', 'crm')).toEqual([
      2,
      'error  Nothing was delivered to "crm" in this run.',
    ]);
    const { code, stderr } = await runHere(['replay', scenario, '--inputs']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not the log of a run')]);
  });
});

describe('sandbox replay --inputs', () => {
  test('plays the same run from its log: scenario, parameters and seed', async () => {
    const { code, stderr } = await replay('--inputs');
    expect([code, stderr]).toEqual([0, expect.stringContaining('every one the same')]);
  });

  test('names the first record that differs', async () => {
    const text = readFileSync(log, 'utf8');
    const changed = join(folder.path, 'changed.jsonl');
    writeFileSync(changed, text.replace('"status":"acknowledged"', '"status":"resolved"'));
    const { code, stderr } = await runHere(['replay', changed, '--inputs', '--file', scenario]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/record \d+ \(act, at 00:00:08\.000\) differs in d\.status:/);
  });

  test.each([
    [
      'within a line',
      (text: string) => text.slice(0, text.indexOf('"k":"act"')),
      /it ends in the middle of line \d+, after 00:00:/,
    ],
    [
      'between two lines',
      (text: string) => `${text.trimEnd().split('\n').slice(0, 4).join('\n')}\n`,
      /it ends with line 4, at 00:00:/,
    ],
  ])('of a log that is cut off %s says where, and what to do', async (_where, cut, where) => {
    const short = join(folder.path, 'cut.jsonl');
    writeFileSync(short, cut(readFileSync(log, 'utf8')));
    const { code, stderr } = await runHere(['replay', short, '--inputs', '--file', scenario]);
    expect(code).toBe(2);
    expect(stderr).toMatch(where);
    expect(stderr).toContain(`Play the scenario once more for a whole log: sandbox run ${scenario} --seed 7`);
    const reported = JSON.parse(
      (await runHere(['replay', short, '--inputs', '--file', scenario, '--json'])).stdout,
    ) as object;
    expect(reported).toMatchObject({
      status: 'error',
      error: { code: 'cut_log', details: { line: expect.any(Number) } },
    });
  });

  test('says so where another version wrote the log', async () => {
    const older = join(folder.path, 'older.jsonl');
    const text = readFileSync(log, 'utf8').replace(`"version":"${VERSION}"`, '"version":"0.0.1"');
    writeFileSync(older, text);
    const same = await runHere(['replay', older, '--inputs', '--file', scenario]);
    expect(same.stderr).toContain(`The log is of version 0.0.1, and this is ${VERSION}`);
    expect([same.code, same.stderr]).toEqual([0, expect.stringContaining('every one the same')]);
    writeFileSync(older, text.replace('"status":"acknowledged"', '"status":"resolved"'));
    expect((await runHere(['replay', older, '--inputs', '--file', scenario])).code).toBe(1);
  });
});
