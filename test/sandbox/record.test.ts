/** A live session becomes a draft of a scenario, and the draft plays. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootStage } from '../../src/sandbox/boot.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { runFile } from '../../src/scenario/playing/run-file.ts';

let sandbox: Sandbox;
let token = '';

beforeAll(async () => {
  sandbox = await startSandbox({
    memory: true,
    port: 0,
    mqttPort: 0,
    seed: 'record',
    dataDir: `record-${process.pid}`,
  });
  const { client_id, client_secret } = sandbox.ready.clients[0]!;
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  token = (await call('POST', '/v1/oauth/token', grant, '')).body.access_token;
});

afterAll(() => sandbox.stop());

async function call(method: string, path: string, body?: unknown, as = sandbox.ready.control_token) {
  const answer = await fetch(`${sandbox.ready.api_url}${path}`, {
    method,
    headers: { ...(as === '' ? {} : { authorization: `Bearer ${as}` }), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into any answer
  return { status: answer.status, body: (await answer.json()) as any };
}

const act = async (body: object) => (await call('POST', '/v1/sandbox/actions', body)).body.result;
const begin = async () => (await call('POST', '/v1/sandbox/recordings')).body.id as string;
const end = async (id: string) => (await call('DELETE', `/v1/sandbox/recordings/${id}`)).body;
const advance = (ms: number) => sandbox.clock.advance(ms);

/** Plays the draft in lock-step; what failed. */
async function failuresOf(draft: string): Promise<string[]> {
  const { failures, mistakes, error } = await runFile('draft.scenario.yaml', {
    mode: 'fast',
    boot: bootStage,
    sink: () => {},
    read: (path) => (path === 'draft.scenario.yaml' ? draft : undefined),
  });
  return [...failures.map(({ text }) => text), ...(mistakes === null ? [] : [mistakes]), error?.message ?? ''].filter(
    (text) => text !== '',
  );
}

const linesOf = (draft: string): string[] => draft.slice(draft.indexOf('steps:')).split('\n');

describe('a recording', () => {
  test('of a fall, with what the client did, plays as it was', async () => {
    const before = await act({ action: 'sos', who: 'W-030' });
    const id = await begin();
    await advance(20_000);
    await act({ action: 'fall', who: 'W-001', answers: 'never' });
    await advance(35_000);
    const { alert_id } = await act({ action: 'sos', who: ['W-002'] })
      .then(async () => (await call('GET', '/v1/alerts?type=fall_detected', undefined, token)).body.data[0])
      .then(({ id: fall }: { id: string }) => ({ alert_id: fall }));
    const actor = { name: 'Desk 2', external_id: 'OP-7' };
    await call('PATCH', `/v1/alerts/${alert_id}`, { status: 'acknowledged', actor, note: 'On our way' }, token);
    await advance(60_000);
    await call('PATCH', `/v1/alerts/${alert_id}`, { status: 'resolved', actor, resolution_reason: 'Helped' }, token);
    await call('PATCH', `/v1/alerts/${before.alert_id}`, { status: 'resolved', actor }, token);
    await act({ action: 'answer', who: 'W-002', with: 'ok' });
    const { scenario, steps, expectations, remarks } = await end(id);
    const [fallen, pressed] = ['W-001', 'W-002'].map((one) => {
      const [, short] = new RegExp(`^  ([a-z0-9-]+): \\{name: [^}]*external_id: ${one}[,}]`, 'm').exec(scenario) ?? [];
      return short;
    });
    expect(linesOf(scenario)).toEqual([
      'steps:',
      '  - wait: 20s',
      `  - fall: {who: ${fallen}, answers: never}`,
      `  - expect: {event: alert.created, of: ${fallen}, object: {type: fall_detected}}`,
      '    within: 15s',
      '    as: fall-detected',
      `  - expect: {event: alert.created, of: ${fallen}, object: {type: sos}}`,
      '    within: 45s',
      '  - wait: 5s',
      `  - sos: [${pressed}]`,
      `  - expect: {event: alert.created, of: ${pressed}, object: {type: sos}}`,
      '    within: 15s',
      '  - acknowledge: {alert: $fall-detected.object, by: Desk 2, external_id: OP-7, note: On our way}',
      '  - expect: {event: alert.acknowledged, about: $fall-detected}',
      '    within: 15s',
      '  - wait: 1m',
      '  - resolve: {alert: $fall-detected.object, by: Desk 2, external_id: OP-7, reason: Helped}',
      '  - expect: {event: alert.resolved, about: $fall-detected}',
      '    within: 15s',
      '  # Desk 2 did resolve an alert that is not in this draft',
      expect.stringMatching(/^ {2}# answer was refused: /),
      '',
    ]);
    expect([steps, expectations, remarks.length]).toEqual([12, 5, 2]);
    expect(await failuresOf(scenario)).toEqual([]);
  });

  test('of people who move, of the plant and of an evacuation plays as it was', async () => {
    const id = await begin();
    const { data } = (await call('GET', '/v1/sites', undefined, token)).body;
    const site = data.find(({ name }: { name: string }) => name === 'Terminal Puerto Alerce');
    await act({ action: 'enter', who: 'W-010', zone: 'Tank Farm' });
    await advance(15_000);
    await act({ action: 'hazard', kind: 'earthquake', site: site.id, magnitude: 7.1, distance_km: 80 });
    const { muster_id } = await act({ action: 'start_muster', site: site.id, kind: 'general', by: 'Shift lead' });
    await act({ action: 'move', who: 'W-011', to: 'Gate A' });
    await act({ action: 'cannot_evacuate', who: 'W-012', reason: 'trapped' });
    await act({ action: 'exclude_point', muster: muster_id, point: 'Gate A', reason: 'Gas', by: 'Shift lead' });
    await advance(20_000);
    await act({ action: 'mark_safe', who: 'W-012', by: 'Shift lead' });
    await act({ action: 'end_muster', muster: muster_id, outcome: 'completed', by: 'Shift lead' });
    const { scenario, expectations } = await end(id);
    expect(scenario).toContain('as: muster');
    expect(scenario).toMatch(/expect: \{event: muster.started, about: \$muster\}/);
    expect(scenario).toMatch(/# expect: \{event: muster.updated, about: \$muster\} # its figures/);
    expect(scenario).toMatch(/exclude_point: \{point: Gate A, reason: Gas, by: Shift lead, muster: \$muster\}/);
    expect(expectations).toBeGreaterThan(4);
    expect(await failuresOf(scenario)).toEqual([]);
  });

  test('of a muster that everybody came through has them safe before the inspection', async () => {
    const id = await begin();
    await act({ action: 'start_muster', site: 'Terminal Puerto Alerce', kind: 'general', by: 'Shift lead' });
    await act({ action: 'cannot_evacuate', who: 'W-013', reason: 'injured' });
    await advance(10_000);
    const muster = [...sandbox.engine.world.indexes.activeMusters()][0]!;
    const people = [...sandbox.engine.world.indexes.expectedIn(muster.id).keys()];
    await act({ action: 'mark_safe', who: 'W-013', by: 'Shift lead' });
    for (const workerId of people)
      await sandbox.engine.submit({
        type: 'mark-safe',
        musterId: muster.id,
        workerId,
        pointId: null,
        by: 'Shift lead',
      });
    await advance(6_000);
    await act({ action: 'inspect', by: 'Shift lead' });
    await act({ action: 'end_muster', outcome: 'completed', by: 'Shift lead' });
    const { scenario } = await end(id);
    expect(scenario).toContain('note: Whoever has a part here was safe by then');
    expect(scenario).toContain('- expect: {event: muster.phase_changed, about: $muster}');
    expect(await failuresOf(scenario)).toEqual([]);
  });

  test('of nothing is still a scenario, and is there once', async () => {
    const id = await begin();
    await advance(90_000);
    const { scenario } = await end(id);
    expect(linesOf(scenario)).toEqual(['steps:', '  - wait: 90s', '']);
    expect(await failuresOf(scenario)).toEqual([]);
    expect((await call('DELETE', `/v1/sandbox/recordings/${id}`)).body.code).toBe('not_found');
  });
});
