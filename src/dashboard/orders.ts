/** The control room's keys: a key first asks a question, and the reply becomes an action of the catalogue. */
import type { ActionBody } from '../contract/actions.ts';
import type { MusterKind } from '../contract/enumerations.ts';
import type { Alert } from '../contract/resources.ts';
import { whatText } from '../watching/state/happened.ts';
import type { KeyEffect } from './keys.ts';
import {
  chosenOf,
  chosenWorkerOf,
  type DashboardScene,
  type DashboardView,
  type ViewOrder,
  type ViewQuestion,
} from './view.ts';

type QuestionOrRefusal = { readonly question: ViewQuestion } | { readonly refused: string };

const act = (body: ActionBody, reply: string): ViewOrder => ({ to: 'act', body, reply });
const no = (refused: string): QuestionOrRefusal => ({ refused });

const yesNo = (title: string, lines: readonly string[], order: ViewOrder): QuestionOrRefusal => ({
  question: {
    kind: 'choice',
    title,
    lines,
    choices: [
      { key: 'y', label: 'yes', order },
      { key: 'n', label: 'no', order: null },
    ],
  },
});

type Asking = (scene: DashboardScene, view: DashboardView) => QuestionOrRefusal;

/** Returns null if the effect does not belong to the control room. */
export const questionFor = (effect: KeyEffect, scene: DashboardScene, view: DashboardView): QuestionOrRefusal | null =>
  QUESTIONS[effect]?.(scene, view) ?? null;

/** Returns the alert of the chosen person if the people pane or the map has the focus, else the chosen alert. */
export function alertOf(scene: DashboardScene, view: DashboardView): Alert | null {
  if (view.pane === 'people' || view.pane === 'map') {
    const chosen = chosenWorkerOf(scene, view);
    const own = scene.siteRows.find(({ id }) => id === chosen)?.alert ?? null;
    if (own !== null) return own;
  }
  const chosen = chosenOf(scene, view, 'alerts');
  return scene.alerts.find(({ id }) => id === chosen) ?? null;
}

const nameOf = ({ type, details, worker, zone }: Alert): string =>
  [
    whatText({ type, details }),
    worker === null ? 'of the whole site' : `of ${worker.external_id ?? worker.id.slice(0, 8)}`,
    zone === null ? '' : `in ${zone.name}`,
  ]
    .filter((word) => word !== '')
    .join(' ');

function acknowledge(scene: DashboardScene, view: DashboardView): QuestionOrRefusal {
  const alert = alertOf(scene, view);
  if (alert === null) return no('There is no alert to acknowledge.');
  if (alert.status !== 'unacknowledged') return no(`${nameOf(alert)} is ${alert.status} already.`);
  return yesNo(
    'Acknowledge',
    [nameOf(alert), alert.title],
    act({ action: 'acknowledge', alert: alert.id, by: view.operator, via: 'panel' }, `acknowledged: ${nameOf(alert)}`),
  );
}

function resolve(scene: DashboardScene, view: DashboardView): QuestionOrRefusal {
  const alert = alertOf(scene, view);
  if (alert === null) return no('There is no alert to resolve.');
  if (alert.status === 'resolved') return no(`${nameOf(alert)} is resolved already.`);
  return {
    question: {
      kind: 'text',
      title: `Resolve ${nameOf(alert)}`,
      label: 'Reason (may be empty)',
      text: '',
      most: 200,
      required: false,
      orderOf: (text) =>
        act(
          {
            action: 'resolve',
            alert: alert.id,
            by: view.operator,
            via: 'panel',
            ...(text === '' ? {} : { reason: text }),
          },
          `resolved: ${nameOf(alert)}`,
        ),
    },
  };
}

function markSafe(scene: DashboardScene, view: DashboardView): QuestionOrRefusal {
  const id = chosenOf(scene, view, 'people');
  const row = scene.people.find((person) => person.id === id);
  if (scene.active === null || row === undefined) return no('Nobody is missing.');
  return yesNo(
    'Mark safe',
    [
      `${row.code}${row.worker.name === undefined ? '' : `, ${row.worker.name}`} (${row.status})`,
      'You know that this person is safe, at no assembly point.',
    ],
    act({ action: 'mark_safe', muster: scene.active.id, who: row.id, by: view.operator }, `${row.code} is marked safe`),
  );
}

function startMuster(scene: DashboardScene, view: DashboardView): QuestionOrRefusal {
  const { site, active } = scene;
  if (site === null) return no('No site is known yet.');
  if (active !== null) return no(`A ${active.kind} muster is under way on this site: e ends it.`);
  const order = (kind: MusterKind): ViewOrder =>
    act({ action: 'start_muster', kind, site: site.id, by: view.operator }, `a ${kind} muster has started`);
  return {
    question: {
      kind: 'choice',
      title: 'Start a muster',
      lines: [`at ${site.name}: everybody there must evacuate.`],
      choices: [
        { key: 'g', label: 'general', order: order('general') },
        { key: 't', label: 'tsunami', order: order('tsunami') },
        { key: 'e', label: 'earthquake', order: order('earthquake') },
        { key: 'n', label: 'no', order: null },
      ],
    },
  };
}

function exclude(scene: DashboardScene, view: DashboardView): QuestionOrRefusal {
  const { active, points } = scene;
  const id = chosenOf(scene, view, 'points');
  const point = points.find((one) => one.id === id);
  if (active === null || point === undefined) return no('No muster is under way.');
  if (view.pane !== 'points') return no('Choose the assembly point first: 2, then x.');
  if (point.excluded !== null) return no(`${point.name} is excluded already: u reinstates it.`);
  return {
    question: {
      kind: 'text',
      title: `Exclude ${point.name}`,
      label: 'Reason',
      text: '',
      most: 500,
      required: true,
      orderOf: (reason) =>
        act(
          { action: 'exclude_point', muster: active.id, point: point.id, reason, by: view.operator },
          `${point.name} is excluded`,
        ),
    },
  };
}

function reinstate(scene: DashboardScene, view: DashboardView): QuestionOrRefusal {
  const { active, points } = scene;
  const chosen = points.find(({ id }) => id === chosenOf(scene, view, 'points'));
  const point = view.pane === 'points' ? chosen : points.find(({ excluded }) => excluded !== null);
  if (active === null || point === undefined || point.excluded === null)
    return no('No excluded assembly point is chosen.');
  return yesNo(
    'Reinstate',
    [point.name, `It was excluded: ${point.excluded.reason}`],
    act(
      { action: 'reinstate_point', muster: active.id, point: point.id, by: view.operator },
      `${point.name} is a target again`,
    ),
  );
}

function inspect({ active }: DashboardScene, view: DashboardView): QuestionOrRefusal {
  if (active === null) return no('No muster is under way.');
  return yesNo(
    'Inspect the plant',
    ['The headcount is complete; nobody returns until further notice.'],
    act({ action: 'inspect', muster: active.id, by: view.operator }, 'the plant is inspected'),
  );
}

function endMuster({ active }: DashboardScene, view: DashboardView): QuestionOrRefusal {
  if (active === null) return no('No muster is under way.');
  const order = (outcome: 'completed' | 'cancelled'): ViewOrder =>
    act({ action: 'end_muster', muster: active.id, outcome, by: view.operator }, `the muster is ${outcome}`);
  const missing = active.totals.expected - active.totals.safe;
  return {
    question: {
      kind: 'choice',
      title: 'End the muster',
      lines: [missing === 0 ? 'Everybody is safe.' : `${missing} of ${active.totals.expected} are not safe.`],
      choices: [
        { key: 'c', label: 'completed', order: order('completed') },
        { key: 'x', label: 'cancelled', order: order('cancelled') },
        { key: 'n', label: 'no', order: null },
      ],
    },
  };
}

function resend(scene: DashboardScene, view: DashboardView): QuestionOrRefusal {
  const id = view.pane === 'webhooks' ? chosenOf(scene, view, 'webhooks') : null;
  const delivery = scene.deliveries.find((one) => one.id === id);
  if (delivery === undefined) return no('Choose the delivery first: 5, then its row.');
  const { event_id, event_type, destination_id } = delivery;
  const url = scene.destinations.find((one) => one.id === destination_id)?.url ?? destination_id;
  return yesNo(
    'Send again',
    [event_type, `to ${url}`],
    act({ action: 'resend', to: destination_id, event: event_id }, `${event_type} is sent again`),
  );
}

const QUESTIONS: { readonly [D in KeyEffect]?: Asking } = {
  acknowledge,
  resolve,
  safe: (scene, view) => (scene.active === null ? startMuster : markSafe)(scene, view),
  'start-muster': startMuster,
  exclude,
  reinstate,
  inspect,
  resend,
  'end-muster': endMuster,
};
