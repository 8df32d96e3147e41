/** Keys: changes of the view, questions, and the resulting actions. */
import { describe, expect, test } from 'vitest';
import { ACTIONS, type ActionBody, actionBody } from '../../src/contract/actions.ts';
import { check } from '../../src/contract/check.ts';
import type { StreamSnapshot } from '../../src/contract/stream.ts';
import { effectOf, KEYS } from '../../src/dashboard/keys.ts';
import { type Pressed, press } from '../../src/dashboard/press.ts';
import { type DashboardView, sceneOf } from '../../src/dashboard/view.ts';
import { alertId, GATE, HILL, MUSTER_ID, MUSTERING, QUIET, SITE_ID, viewer, workerId, worldOf } from './harbour.ts';

/** Presses the keys in order; returns the last view and the orders. */
function typing(keys: readonly string[], from: DashboardView = viewer(), snapshot: StreamSnapshot = MUSTERING) {
  const world = worldOf(snapshot);
  let view = from;
  const orders: NonNullable<Pressed['order']>[] = [];
  let quits = false;
  for (const key of keys) {
    const pressed = press(key, view, sceneOf(world, view, 0), world, 0);
    view = pressed.view;
    if (pressed.order !== null) orders.push(pressed.order);
    quits ||= pressed.quits;
  }
  return { view, orders, quits };
}

/** The only order's body, valid for the action catalogue. */
function body(keys: readonly string[], from?: DashboardView, snapshot?: StreamSnapshot): ActionBody {
  const { orders } = typing(keys, from, snapshot);
  expect(orders.map(({ to }) => to)).toEqual(['act']);
  const [order] = orders;
  const body = (order?.to === 'act' ? order.body : {}) as ActionBody;
  expect(check(actionBody(body.action), body)).toMatchObject({ ok: true });
  return body;
}

describe('the control room, each after its question', () => {
  const by = 'Shift lead';

  test('a acknowledges the alert of the person that is chosen', () => {
    expect(typing(['a']).orders).toEqual([]);
    expect(body(['a', 'y'])).toEqual({ action: 'acknowledge', alert: alertId(2), by, via: 'panel' });
  });

  test('a says so where the alert is acknowledged already', () => {
    const { view, orders } = typing(['4', 'down', 'a']);
    expect([orders, view.question, view.reply?.text]).toEqual([
      [],
      null,
      'Low battery, 9 % of W-022 in Tank Farm is acknowledged already.',
    ]);
  });

  test('r resolves it with the reason that was typed', () => {
    expect(body(['4', 'r', 'f', 'o', 'x', 'backspace', 'space', 'K', 'enter'])).toEqual({
      action: 'resolve',
      alert: alertId(2),
      by,
      via: 'panel',
      reason: 'fo K',
    });
  });

  test('m marks the chosen person safe, and anything but y does not', () => {
    const onPending = viewer({ chosen: { ...viewer().chosen, people: workerId(24) } });
    expect(body(['m', 'enter'], onPending)).toEqual({ action: 'mark_safe', muster: MUSTER_ID, who: workerId(24), by });
    for (const no of ['n', 'escape']) expect(typing(['m', no], onPending).orders).toEqual([]);
    expect(typing(['m', 'z'], onPending).view.question).not.toBeNull();
  });

  test('x excludes the chosen point, but not without a reason', () => {
    const onHill = viewer({ pane: 'points', chosen: { ...viewer().chosen, points: HILL } });
    const { view, orders } = typing(['x', 'enter'], onHill);
    expect([orders, view.reply?.text]).toEqual([[], 'Reason is required; Esc cancels.']);
    expect(body(['x', 'f', 'i', 'r', 'e', 'enter'], onHill)).toEqual({
      action: 'exclude_point',
      muster: MUSTER_ID,
      point: HILL,
      reason: 'fire',
      by,
    });
  });

  test('u reinstates a point', () => {
    expect(body(['2', 'u', 'y'])).toEqual({ action: 'reinstate_point', muster: MUSTER_ID, point: GATE, by });
  });

  test('M starts a muster of the kind that is chosen, where none is under way', () => {
    expect(body(['M', 't'], viewer(), QUIET)).toEqual({ action: 'start_muster', kind: 'tsunami', site: SITE_ID, by });
    // Enter does not choose a kind.
    expect(typing(['M', 'enter'], viewer(), QUIET).orders).toEqual([]);
    expect(typing(['M']).view.reply?.text).toContain('A tsunami muster is under way');
  });

  test('e ends it as completed or as cancelled', () => {
    expect(body(['e', 'c'])).toMatchObject({ action: 'end_muster', muster: MUSTER_ID, outcome: 'completed' });
    expect(body(['e', 'x'])).toMatchObject({ outcome: 'cancelled' });
    expect(typing(['e', 'enter']).orders).toEqual([]);
    expect(typing(['e'], viewer(), QUIET).view.reply?.text).toBe('No muster is under way.');
  });

  test('every action that a key can ask for is in the catalogue', () => {
    expect(Object.keys(ACTIONS)).toEqual(expect.arrayContaining(['acknowledge', 'resolve', 'mark_safe', 'inspect']));
    expect(body(['I', 'y'])).toMatchObject({ action: 'inspect', muster: MUSTER_ID });
  });
});

describe('time', () => {
  test('space stops it, > doubles and < halves it', () => {
    expect(typing(['space', '>', '<']).orders.map((order) => ('body' in order ? order.body : null))).toEqual([
      { pause: true },
      { speed: 20 },
      { speed: 5 },
    ]);
    const paused = { ...MUSTERING, clock: { ...MUSTERING.clock, paused: true, speed: 6_000 } };
    expect(
      typing(['space', '>'], viewer(), paused).orders.map((order) => ('body' in order ? order.body : null)),
    ).toEqual([{ resume: true }, { speed: 10_000 }]);
  });
});

describe('looking around', () => {
  test('Tab goes through the panes and Shift-Tab back', () => {
    expect(typing(['tab', 'tab', 'tab']).view.pane).toBe('map');
    expect(typing(['shift-tab']).view.pane).toBe('points');
    expect(typing(['5']).view.pane).toBe('webhooks');
  });

  test('the arrows choose rows, and stay within them', () => {
    expect(typing(['down', 'down']).view.chosen.people).toBe(workerId(22));
    expect(typing(['G']).view.chosen.people).toBe(workerId(24));
    expect(typing(['G', 'down', 'down', 'g', 'up']).view.chosen.people).toBe(workerId(20));
  });

  test('a filter is typed until Enter, and Esc drops it', () => {
    expect(typing(['/', 'q', 'a', 'enter']).view).toMatchObject({ filter: 'qa', isFiltering: false });
    expect(typing(['/', 'q', 'escape']).view).toMatchObject({ filter: '', isFiltering: false });
  });

  test('+ comes nearer, around who is chosen', () => {
    const { view } = typing(['+']);
    expect(view.zoom).toBe(2);
    expect(view.centre[0]).toBeCloseTo(330 / 600, 2);
    expect(view.centre[1]).toBeCloseTo(190 / 300, 2);
    expect(typing(['+', 'escape']).view).toMatchObject({ zoom: 1, centre: [0.5, 0.5] });
  });

  test('Enter tells all of a row, also of the next one, until Esc', () => {
    expect(typing(['enter', 'down']).view).toMatchObject({ isDetailOpen: true, chosen: { people: workerId(21) } });
    expect(typing(['enter', 'q'])).toMatchObject({ quits: false, view: { isDetailOpen: false } });
    expect(typing(['2', 'enter'], viewer(), QUIET).view).toMatchObject({
      isDetailOpen: false,
      reply: { text: 'Nothing is chosen.' },
    });
  });

  test('f freezes what is seen while the world goes on', () => {
    const world = worldOf(MUSTERING);
    const { view } = typing(['f']);
    expect(sceneOf({ ...world, alerts: new Map() }, view, 60_000)).toMatchObject({
      now: Date.parse(MUSTERING.clock.now),
      alerts: { length: 2 },
    });
    expect(typing(['f', 'f']).view.frozen).toBeNull();
  });

  test('o opens the page of the alert that is meant, else of the muster', () => {
    expect(typing(['o']).orders).toMatchObject([{ to: 'browser', url: MUSTERING.alerts[1]!.panel_url }]);
    expect(typing(['2', 'o']).orders).toMatchObject([{ to: 'browser', url: `/panel/musters/${MUSTER_ID}` }]);
    expect(typing(['o'], viewer(), QUIET)).toMatchObject({
      orders: [],
      view: { reply: { text: 'There is no alert and no muster to open.' } },
    });
  });

  test('y copies the id of the chosen row', () => {
    expect(typing(['y']).orders).toMatchObject([{ to: 'clipboard', text: workerId(20) }]);
    expect(typing(['4', 'y']).orders).toMatchObject([{ to: 'clipboard', text: alertId(2) }]);
  });

  test('T asks for the truth, and T again is the end of it', () => {
    expect(viewer().truth).toBe(false);
    expect(typing(['T']).view.truth).toBe(true);
    expect(typing(['T', 'T']).view.truth).toBe(false);
  });

  test('T is not for the view of a client, and says so', () => {
    const as = { clientId: 'naval', organization: 'Naval Ria Brava', scopes: [] };
    const { view } = typing(['T'], viewer({ as }));
    expect([view.truth, view.reply?.text]).toEqual([
      false,
      'No client may see ground truth: this is what Naval Ria Brava sees.',
    ]);
  });

  test('q quits, but not out of a text; Ctrl-C always', () => {
    expect(typing(['q']).quits).toBe(true);
    expect(typing(['/', 'q']).quits).toBe(false);
    expect(typing(['4', 'r', 'q', 'ctrl-c']).quits).toBe(true);
  });
});

test('no key has two meanings', () => {
  const keys = KEYS.flatMap((row) => row.keys);
  expect(new Set(keys).size).toBe(keys.length);
  expect(effectOf('q')).toBe('quit');
});
