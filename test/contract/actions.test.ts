import { describe, expect, test } from 'vitest';
import { checkAction } from '../../src/contract/action-check.ts';
import { ACTION_NAMES, ACTIONS, ActionAnswer, actionBody, actionExample } from '../../src/contract/actions.ts';
import { check } from '../../src/contract/check.ts';
import { ID, TIME } from './samples.ts';

const said = (body: unknown) => {
  const checked = checkAction(body);
  return checked.ok ? [] : checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
};

describe.each(ACTION_NAMES)('the action %s', (action) => {
  const { title, help, group, clientMay } = ACTIONS[action];

  test('has an example that its own schema takes', () => {
    expect(said(actionExample(action))).toEqual([]);
    expect(actionExample(action).action).toBe(action);
  });

  test('has a title, and help in whole sentences', () => {
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(help).toMatch(/^[A-Z].*\.$/);
  });

  test('may be done by a client where it is of worker and watch, movement or plant [decisions 9]', () => {
    expect(clientMay).toBe(['worker', 'movement', 'plant'].includes(group));
  });

  test('refuses a field that it does not know', () => {
    expect(said({ ...actionExample(action), pulse: 1 })).toEqual(['/pulse is not a known field']);
  });

  test('derives its body once', () => {
    expect(actionBody(action)).toBe(actionBody(action));
    expect(Object.keys(actionBody(action).properties)).toEqual([
      'action',
      ...Object.keys(ACTIONS[action].fields.properties),
    ]);
  });
});

describe('the body of an action', () => {
  test.each([
    [{ action: 'sos', who: ['W-001', 'W-002'] }, []],
    [{ action: 'sos', who: [] }, ['/who must not be empty']],
    [{ action: 'sos', who: ['W-001', 3] }, ['/who/1 must be a string']],
    [{ action: 'sos', who: 3 }, ['/who must be a string or a list']],
    [{ action: 'sos', who: ' ' }, ['/who must not be blank']],
    [{ action: 'sos' }, ['/who is required']],
    [
      { action: 'sos', who: 'a', with: 'watch_buton' },
      ['/with must be one of "watch_button", "watch_hardware_button"; did you mean "watch_button"?'],
    ],
    [{ action: 'fall', who: 'a', answers: 'never' }, []],
    [
      { action: 'fall', who: 'a', answers_after: '10' },
      ['/answers_after must be a duration like 500ms, 45s, 2m, 1h30m, 24h or 1d'],
    ],
    [{ action: 'answer', who: 'a' }, ['/with is required']],
    [{ action: 'press_ack', who: 'a', alert: ID }, []],
    [{ action: 'battery', who: 'a', pct: 100.5 }, ['/pct must be a whole number']],
    [{ action: 'battery', who: 'a', drain: -1 }, ['/drain must be between 0 and 360000']],
    [{ action: 'signal', who: 'a', is: 'back' }, []],
    [{ action: 'signal', who: 'a', is: 'gone' }, ['/is must be one of "lost", "back"']],
    [{ action: 'fal', who: 'a' }, ['/action is not an action; did you mean "fall"?']],
    [{ action: 'toString' }, ['/action is not an action; GET /v1/sandbox/actions lists them']],
    [{ action: 7 }, ['/action must be a string']],
    [{ who: 'a' }, ['/action is required']],
    [[], [' must be an object']],
    [null, [' must be an object']],
  ])('%j', (body, sentences) => {
    expect(said(body)).toEqual(sentences);
  });
});

test('an answer tells the ids of what the action touched, and whether the watch kept it for later', () => {
  const answer = { action: 'sos', at: TIME, result: { worker_id: ID, device_id: ID, buffered: true } };
  expect(check(ActionAnswer, answer).ok).toBe(true);
  expect(check(ActionAnswer, { ...answer, result: { latitude: 1 } }).ok).toBe(false);
});
