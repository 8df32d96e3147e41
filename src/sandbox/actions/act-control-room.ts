/** What people at the control room do with alerts when an action asks for it. [scenario-language, Control room] */
import { parseDuration } from '../../base/time/durations.ts';
import { type ActionFields, DEFAULT_OPERATOR } from '../../contract/actions.ts';
import { integrationLabel, operatorLabel } from '../../service/domain/alerts/integration-label.ts';
import { isRejection } from '../../service/domain/changes.ts';
import { type ActionContext, committed, idsOf, type Performed } from './acting.ts';
import type { Actor } from './find.ts';

/** Duration of a position request without a limit. */
const UNVEILED_MS = 15 * 60_000;

/** Through the API the operator has a generic name; in the panel the operator has their own name. [decisions 5] */
export async function update(
  { engine, find, assumptions }: ActionContext,
  status: 'acknowledged' | 'resolved',
  fields: ActionFields<'acknowledge'> & { readonly reason?: string },
): Promise<Performed> {
  const { by = DEFAULT_OPERATOR } = fields;
  const alert = await engine.read(() => find.alert(fields.alert));
  if (isRejection(alert)) return alert;
  const outcome = await engine.submit({
    type: 'update-alert',
    alertId: alert.id,
    status,
    by: fields.via === 'panel' ? by : integrationLabel(assumptions, by),
    actor: operatorLabel(by, fields.external_id),
    reason: fields.reason ?? null,
    note: fields.note ?? null,
  });
  if (isRejection(outcome) && outcome.code === 'invalid_transition') return { ...outcome, code: 'action_refused' };
  return committed(outcome, { alert_id: alert.id });
}

export async function reopen(
  { engine, find }: ActionContext,
  { alert: id, by = DEFAULT_OPERATOR }: ActionFields<'reopen'>,
): Promise<Performed> {
  const alert = await engine.read(() => find.alert(id));
  if (isRejection(alert)) return alert;
  return committed(await engine.submit({ type: 'reopen-alert', alertId: alert.id, by }), { alert_id: alert.id });
}

export async function assign(
  context: ActionContext,
  { alert: id, by = DEFAULT_OPERATOR, to }: ActionFields<'assign'>,
): Promise<Performed> {
  const alert = await context.engine.read(() => context.find.alert(id));
  if (isRejection(alert)) return alert;
  const outcome = await context.engine.submit({ type: 'assign-alert', alertId: alert.id, by, to: to ?? by });
  return committed(outcome, { alert_id: alert.id });
}

export async function panelSos(
  { engine }: ActionContext,
  actor: Actor,
  { by = DEFAULT_OPERATOR }: ActionFields<'panel_sos'>,
): Promise<Performed> {
  return committed(await engine.submit({ type: 'panel-sos', workerId: actor.worker.id, by }), idsOf(actor));
}

export async function unveil(
  { engine }: ActionContext,
  actor: Actor,
  fields: ActionFields<'unveil'>,
): Promise<Performed> {
  const { by = DEFAULT_OPERATOR } = fields;
  const lasts = fields.duration === undefined ? UNVEILED_MS : (parseDuration(fields.duration) as number);
  const until = engine.clock.now() + lasts;
  const outcome = await engine.submit({ type: 'unveil', workerId: actor.worker.id, by, until });
  return committed(outcome, idsOf(actor));
}
