/** An action that joins an open alert says so in its answer, and no event is sent. [decisions 5, 9] */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionBody } from '../../src/contract/actions.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { isRejection } from '../../src/service/domain/changes.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  const dataDir = `joined-${process.pid}`;
  sandbox = await startSandbox({ memory: true, port: 0, mqttPort: 0, seed: 'joined', dataDir });
  await act({ action: 'start_muster', site: 'Terminal Puerto Alerce', kind: 'general', by: 'Lead' });
});
afterAll(() => sandbox.stop());

async function act(body: ActionBody) {
  const outcome = await sandbox.act(body);
  if (isRejection(outcome)) throw new Error(outcome.detail);
  return 'results' in outcome.answer ? outcome.answer.results : [outcome.answer.result];
}

/** Events about an alert, from now on. */
function eventsAbout(alertId: string | undefined) {
  const types: string[] = [];
  const stop = sandbox.engine.listen({
    notice: (notice) => {
      if (notice.kind === 'event-occurred' && JSON.stringify(notice).includes(alertId ?? 'none'))
        types.push(notice.event.type);
    },
  });
  return { types, stop };
}

const JOINING: readonly ActionBody[] = [
  { action: 'sos', who: 'W-001' },
  { action: 'fall', who: 'W-002', answers: 'never' },
  { action: 'call_request', who: 'W-001' },
  { action: 'panel_sos', who: 'W-003', by: 'Desk' },
  { action: 'cannot_evacuate', who: 'W-002', reason: 'injured' },
];

test.each(JOINING)('a second $action joins the alert of the first, until that is resolved', async (body) => {
  const [first] = await act(body);
  expect(first?.joined).toBeUndefined();
  const events = eventsAbout(first?.alert_id);
  expect(await act(body)).toEqual([{ ...first, joined: true }]);
  expect(events.types).toEqual([]);
  await act({ action: 'resolve', alert: first?.alert_id as string, by: 'Desk' });
  expect(events.types).not.toEqual([]);
  events.stop();
  const [third] = await act(body);
  expect([third?.joined, third?.alert_id === first?.alert_id]).toEqual([undefined, false]);
});

test('an SOS by hand and one from the control room join each other', async () => {
  const [pressed] = await act({ action: 'sos', who: 'W-004' });
  expect(await act({ action: 'panel_sos', who: 'W-004', by: 'Desk' })).toEqual([{ ...pressed, joined: true }]);
});

test('of two presses at once, one raises the alert and the other joins it', async () => {
  const both = await Promise.all([1, 2].map(() => act({ action: 'sos', who: 'W-005' })));
  const [one, two] = both.flat();
  expect(one?.alert_id).toBe(two?.alert_id);
  expect([one?.joined, two?.joined].filter((joined) => joined === true)).toHaveLength(1);
});
