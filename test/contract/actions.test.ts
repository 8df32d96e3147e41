import { Type } from 'typebox';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { checkAction } from '../../src/contract/action-check.ts';
import { holds, plain } from '../../src/contract/actions/field-kinds.ts';
import { rowOf } from '../../src/contract/actions/row.ts';
import {
  ACTION_NAMES,
  ACTIONS,
  ActionAnswer,
  actionBody,
  actionExample,
  fieldsHolding,
  fieldsOfAction,
  type PeopleField,
  peopleFieldOf,
} from '../../src/contract/actions.ts';
import { check } from '../../src/contract/check.ts';
import { ID, TIME } from './samples.ts';

const mistakesOf = (body: unknown) => {
  const checked = checkAction(body);
  return checked.ok ? [] : checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
};

describe.each(ACTION_NAMES)('the action %s', (action) => {
  const { title, help, group, clientMay } = ACTIONS[action];

  test('has an example that its own schema takes', () => {
    expect(mistakesOf(actionExample(action))).toEqual([]);
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
    expect(mistakesOf({ ...actionExample(action), pulse: 1 })).toEqual(['/pulse is not a known field']);
  });

  test('infers what is left out from fields that it has, and names those who act in one field at most', () => {
    const fields = fieldsOfAction(action);
    const from = Object.values(fields).flatMap((field) => field['x-holds'].inferredFrom ?? []);
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(from));
    expect(fieldsHolding(action, 'people').length).toBeLessThanOrEqual(1);
  });

  test('says of every part of a field what it holds', () => {
    for (const name of fieldsHolding(action, 'parts')) {
      const parts = Object.values(fieldsOfAction(action)[name]?.properties ?? {});
      expect(parts.map((part) => part['x-holds']?.kind)).not.toContain(undefined);
      expect(parts.length).toBeGreaterThan(0);
    }
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
    expect(mistakesOf(body)).toEqual(sentences);
  });
});

const ROW = { title: 'Dig', help: 'Somebody digs.', example: {}, gives: [] } as const;

test('a field that does not say what it holds does not compile', () => {
  const row = rowOf('plant');
  const depth = Type.Optional(Type.Number());
  expect(Object.keys(row({ ...ROW, fields: { depth: plain(depth) } }).fields.properties)).toEqual(['depth']);
  // @ts-expect-error no kind
  expect(row({ ...ROW, fields: { depth } }).group).toBe('plant');
  // @ts-expect-error no such kind
  expect(row({ ...ROW, fields: { depth: holds('depth', depth) } }).group).toBe('plant');
});

test('an action of people is one by its type, too', () => {
  expectTypeOf<PeopleField<'sos'>>().toEqualTypeOf<'who'>();
  expectTypeOf<PeopleField<'vehicle'>>().toEqualTypeOf<'near'>();
  expectTypeOf<PeopleField<'wind'>>().toEqualTypeOf<never>();
  expect((['sos', 'vehicle', 'wind'] as const).map(peopleFieldOf)).toEqual(['who', 'near', undefined]);
});

test('an answer tells the ids of what the action touched, and whether the watch kept it for later', () => {
  const answer = { action: 'sos', at: TIME, result: { worker_id: ID, device_id: ID, buffered: true } };
  expect(check(ActionAnswer, answer).ok).toBe(true);
  expect(check(ActionAnswer, { ...answer, result: { latitude: 1 } }).ok).toBe(false);
});
