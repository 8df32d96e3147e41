/** An action form of the panel: its fields are checked with the action's own schema, and the action is performed as a panel user. [decisions 9, 10] */
import { CLI } from '../../base/text/command-form.ts';
import { checkAction, isActionName } from '../../contract/action-check.ts';
import {
  ACTIONS,
  type ActionAnswer,
  type ActionAnswers,
  type ActionBody,
  type ActionName,
} from '../../contract/actions.ts';

/** The reply to the form. */
export interface ActionReply {
  readonly status: number;
  readonly text: string;
}

/** Performs an action with the permissions of the control token. */
export type PerformAction = (body: ActionBody) => Promise<PanelActionOutcome>;
type PanelActionOutcome =
  | ActionRefusal
  | { readonly status: 200 | 202; readonly answer?: ActionAnswer | ActionAnswers };

export interface ActionRefusal {
  readonly rejected: true;
  readonly code: string;
  readonly detail: string;
}

/**
 * The panel belongs to the control room, so it does not offer actions of workers. `resend` is for the page of
 * deliveries.
 */
const isPanelAction = (action: ActionName): boolean => ACTIONS[action].group === 'control_room' || action === 'resend';

const NUMBERS = new Set(['radius_m']);

/** Reads the fields of a form: `origin.zone=..` is a nested field; empty fields are omitted. */
export function fieldsOf(form: URLSearchParams): Record<string, unknown> {
  // The object has no prototype, because a field may be named __proto__.
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, text] of form) {
    if (text.trim() === '') continue;
    const [first = '', second] = name.split('.');
    const value = NUMBERS.has(second ?? first) ? Number(text) : text;
    if (second === undefined) fields[first] = value;
    else fields[first] = Object.assign(Object.create(null), fields[first], { [second]: value });
  }
  // The form always sends a radius, even without an origin.
  const origin = fields['origin'] as { zone?: unknown; at?: unknown } | undefined;
  if (origin !== undefined && origin.zone === undefined && origin.at === undefined) delete fields['origin'];
  return fields;
}

const DONE: { readonly [K in ActionName]?: string } = {
  acknowledge: 'Acknowledged.',
  resolve: 'Resolved.',
  reopen: 'Reopened.',
  assign: 'Assigned.',
  panel_sos: 'An SOS is raised.',
  unveil: 'The position request is approved.',
  start_muster: 'The muster has begun.',
  change_kind: 'The kind is changed.',
  exclude_point: 'The point is excluded from the next count on.',
  reinstate_point: 'The point is a target again.',
  mark_safe: 'Marked safe; counted at the next count.',
  inspect: 'The plant is being inspected.',
  end_muster: 'The muster is over.',
  resend: 'The event is sent again.',
};

const STATUS_OF: Readonly<Record<string, number>> = { not_found: 404, validation_failed: 422, action_refused: 409 };

export const failed = ({ code, detail }: ActionRefusal): ActionReply => ({
  status: STATUS_OF[code] ?? 409,
  text: detail,
});

export async function perform(form: URLSearchParams, operator: string, act: PerformAction): Promise<ActionReply> {
  const { action, ...fields } = fieldsOf(form);
  if (typeof action === 'string' && isActionName(action) && !isPanelAction(action))
    return { status: 403, text: `${action} is not done at the panel: ${CLI} trigger does it.` };
  const signed = action === 'resend' ? {} : { by: operator };
  const asPanel = action === 'acknowledge' || action === 'resolve' ? { via: 'panel' } : {};
  const checked = checkAction({ action, ...signed, ...asPanel, ...fields });
  if (!checked.ok) {
    const errors = checked.errors.map(({ pointer, detail }) => `${pointer.slice(1).replaceAll('/', '.')} ${detail}`);
    return { status: 422, text: `${errors.join('; ')}.` };
  }
  const done = await act(checked.value);
  if ('rejected' in done) return failed(done);
  return { status: 200, text: DONE[checked.value.action] ?? 'Done.' };
}
