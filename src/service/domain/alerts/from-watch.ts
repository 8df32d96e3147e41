/** Alerts that a watch raises: SOS, falls with their prompt, call requests, and the wearer's acknowledgement. [decisions 5] */

import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import { type CommandOf, uplinkKey } from '../commands.ts';
import type { Alert } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { type AlertDecision, changed, NO_WEARER, raise, type Wearer, wearerOf } from './raise.ts';

export function reportSos(world: World, stamp: Stamp, command: CommandOf<'report-sos'>): AlertDecision {
  const wearer = wearerOf(world, command.deviceId);
  if (wearer === null) return NO_WEARER;
  const what = command.trigger === 'watch_button' ? 'SOS by the screen button' : 'SOS by the hardware button';
  return raise(world, stamp, {
    ...wearer,
    type: 'sos',
    details: { trigger: command.trigger },
    from: [command.uplinkId],
    what,
  });
}

/** A fall opens an alert and a prompt. While the alert is open, another fall adds a timeline line but no prompt. */
export function reportFall(world: World, stamp: Stamp, command: CommandOf<'report-fall'>): AlertDecision {
  const wearer = wearerOf(world, command.deviceId);
  if (wearer === null) return NO_WEARER;
  const raised = raise(world, stamp, {
    ...wearer,
    type: 'fall_detected',
    details: { escalated_to_sos: false },
    from: [command.uplinkId],
    what: 'Fall detected by the watch',
  });
  if (raised.changes[0]?.kind !== 'alert-raised') return raised;
  const { thresholds } = world.need('site', wearer.device.siteId);
  return {
    alertId: raised.alertId,
    changes: [
      ...raised.changes,
      {
        kind: 'prompt-opened',
        prompt: {
          id: uplinkKey(command),
          fallId: command.uplinkId,
          alertId: raised.alertId,
          deviceId: command.deviceId,
          siteId: wearer.device.siteId,
          until: stamp.now + thresholds.fallPromptMs,
        },
      },
    ],
  };
}

/** "I'm OK" in time stops the escalation and has no other effect. "help" raises an SOS at once. */
export function answerPrompt(world: World, stamp: Stamp, command: CommandOf<'answer-prompt'>): AlertDecision {
  const key = uplinkKey({ deviceId: command.deviceId, uplinkId: command.fallId });
  const prompt = world.get('prompt', key);
  if (prompt === undefined || prompt.deviceId !== command.deviceId)
    return { changes: [], dropped: 'no such prompt is open' };
  const wearer = wearerOf(world, command.deviceId);
  if (wearer === null) return NO_WEARER;
  const fall = world.need('alert', prompt.alertId);
  const closed: Change = { kind: 'prompt-closed', promptId: prompt.id };
  const by = wearer.worker.name;
  const line = { at: stamp.now, by, reason: null, note: null };
  if (command.answer === 'ok') {
    const what = 'Answered "I\'m OK" on the watch';
    return { changes: [closed, { kind: 'alert-noted', alert: withAnswer(fall, { ...line, what }) }] };
  }
  const answered = withAnswer(fall, { ...line, what: 'Answered "I need help" on the watch' });
  const sos = raiseAfterFall(world, stamp, wearer, prompt.fallId, 'SOS: asked for help after a fall');
  return {
    changes: [closed, { kind: 'alert-noted', alert: answered }, ...sos.changes],
    alertId: sos.alertId,
  };
}

const withAnswer = (fall: Alert, line: Alert['timeline'][number]): Alert => ({
  ...fall,
  timeline: [...fall.timeline, line],
});

/** The prompt expired without an answer: the fall is marked as escalated, and an SOS is raised. [spec 2 FallDetails] */
export function expirePrompt(world: World, stamp: Stamp, command: CommandOf<'expire-prompt'>): AlertDecision {
  const prompt = world.get('prompt', command.promptId);
  if (prompt === undefined) return { changes: [], dropped: 'the prompt was answered' };
  const wearer = wearerOf(world, prompt.deviceId);
  const closed: Change = { kind: 'prompt-closed', promptId: prompt.id };
  if (wearer === null) return { changes: [closed] };
  const fall = world.need('alert', prompt.alertId);
  const line = { at: stamp.now, what: 'The prompt was not answered', by: null, reason: null, note: null };
  const escalated = changed(world, stamp.now, fall, { details: { escalated_to_sos: true } }, line);
  const sos = raiseAfterFall(world, stamp, wearer, prompt.fallId, 'SOS: no answer after a fall');
  return {
    changes: [closed, { kind: 'alert-changed', alert: escalated, event: null }, ...sos.changes],
    alertId: sos.alertId,
  };
}

const raiseAfterFall = (world: World, stamp: Stamp, wearer: Wearer, fallId: string, what: string) =>
  raise(world, stamp, { ...wearer, type: 'sos', details: { trigger: 'after_fall' }, from: [fallId], what });

/** The control room raises an SOS on a worker's behalf. [spec 2 SosDetails `control_room`] */
export function panelSos(
  world: World,
  stamp: Stamp,
  { workerId, by }: CommandOf<'panel-sos'>,
): AlertDecision | Rejection {
  const worker = world.get('worker', workerId);
  const device = worker?.deviceId == null ? undefined : world.get('device', worker.deviceId);
  if (worker === undefined || device === undefined) return reject('action_refused', 'The worker wears no watch.');
  return raise(world, stamp, {
    worker,
    device,
    type: 'sos',
    details: { trigger: 'control_room' },
    from: ['panel', worker.id, stamp.now],
    what: 'SOS by the control room',
    by,
  });
}

export function requestCall(world: World, stamp: Stamp, command: CommandOf<'request-call'>): AlertDecision {
  const wearer = wearerOf(world, command.deviceId);
  if (wearer === null) return NO_WEARER;
  return raise(world, stamp, {
    ...wearer,
    type: 'worker_call_request',
    details: { voice_note: command.voiceNote },
    from: [command.uplinkId],
    what: command.voiceNote ? 'Asked for a call and left a voice note' : 'Asked for a call',
  });
}

/**
 * The wearer saw the alert. `worker_acknowledged_at` is by the watch's clock, and the status does not change. [spec 3]
 */
export function acknowledgeOnWatch(
  world: World,
  stamp: Stamp,
  command: CommandOf<'acknowledge-on-watch'>,
): AlertDecision {
  const wearer = wearerOf(world, command.deviceId);
  if (wearer === null) return NO_WEARER;
  const alert =
    command.alertId === null
      ? newestUnacknowledged(world, wearer.worker.id)
      : (world.get('alert', command.alertId) ?? null);
  if (alert === null || alert.worker?.id !== wearer.worker.id)
    return { changes: [], dropped: 'the worker has no such alert' };
  if (alert.workerAcknowledgedAt !== null || alert.status === 'resolved') return { changes: [], alertId: alert.id };
  const line = { at: stamp.now, what: 'Acknowledged on the watch', by: wearer.worker.name, reason: null, note: null };
  const acknowledged = changed(world, stamp.now, alert, { workerAcknowledgedAt: command.watchTime }, line);
  return {
    changes: [{ kind: 'alert-changed', alert: acknowledged, event: 'alert.worker_acknowledged' }],
    alertId: alert.id,
  };
}

function newestUnacknowledged(world: World, workerId: string): Alert | null {
  const open = world.indexes.openAlertsOfWorker.of(workerId).values();
  return open.findLast((alert) => alert.workerAcknowledgedAt === null) ?? null;
}
