/** Actions of a worker and their watch. [scenario-language, Worker and watch] */
import { Type } from 'typebox';
import { DeviceStatus, HelpReason } from '../enumerations.ts';
import { BatteryPct, Duration, name, nullable, type TimeDirection } from '../shapes.ts';
import { someOf } from './combinations.ts';
import { DEFAULT_WORDS as WORDS } from './example-words.ts';
import { holds, plain } from './field-kinds.ts';
import { type ActionRow, AlertReference, AssemblyPointField, rowOf, Who } from './row.ts';

const row = rowOf('worker');

export const WORKER_ACTIONS = {
  sos: row({
    title: 'Press SOS',
    help: 'The worker presses the SOS button. Without coverage, the watch stores the press and sends it later.',
    example: { who: WORDS.worker, with: 'watch_hardware_button' },
    alone: 'who',
    gives: ['worker_id', 'device_id', 'alert_id', 'joined?', 'buffered?'],
    binds: 'alert',
    fields: {
      who: Who,
      with: plain(
        Type.Optional(
          Type.Enum(['watch_button', 'watch_hardware_button'], { type: 'string', default: 'watch_button' }),
        ),
      ),
    },
  }),
  fall: row({
    title: 'Fall',
    help: 'The worker falls and the watch reports it. Without an answer within the prompt time, the fall becomes an SOS. A worker who does not answer "OK" stays on the ground. This ends with `free`, with the answer "OK" while the watch shows the prompt, or when the fall alert or the SOS is resolved; for a scripted worker, also with a step that moves the worker.',
    example: { who: WORDS.worker, answers: 'ok', answers_after: '10s' },
    alone: 'who',
    gives: ['worker_id', 'device_id', 'alert_id', 'joined?', 'buffered?'],
    binds: 'alert',
    fields: {
      who: Who,
      answers: plain(Type.Optional(Type.Enum(['ok', 'help', 'never'], { type: 'string', default: 'never' }))),
      answers_after: plain(Type.Optional(Duration)),
    },
  }),
  answer: row({
    title: 'Answer the fall prompt',
    help: 'The worker answers the are-you-ok prompt that the watch shows. The action is refused if the watch shows no prompt.',
    example: { who: WORDS.worker, with: 'ok' },
    gives: ['worker_id', 'device_id', 'alert_id?', 'joined?', 'buffered?'],
    binds: 'alert',
    fields: { who: Who, with: plain(Type.Enum(['ok', 'help'], { type: 'string' })) },
  }),
  press_ack: row({
    title: 'Press acknowledge',
    help: 'The worker acknowledges an alert on the watch. Without `alert`, it is the newest open alert that is not yet acknowledged.',
    example: { who: WORDS.worker },
    alone: 'who',
    gives: ['worker_id', 'device_id', 'alert_id', 'buffered?'],
    binds: 'alert',
    fields: { who: Who, alert: Type.Optional(AlertReference) },
  }),
  cannot_evacuate: row({
    title: 'Report that a worker cannot evacuate',
    help: 'During a muster, the worker reports on the watch that they cannot evacuate, and why: trapped, injured or helping. A worker who helps a colleague can move. Any other worker, also without a reason, stays in place until `free`, or until the alert is resolved. The action is refused without a muster.',
    example: { who: WORDS.worker, reason: 'trapped' },
    alone: 'who',
    gives: ['worker_id', 'device_id', 'alert_id', 'joined?', 'buffered?'],
    binds: 'alert',
    fields: {
      who: Who,
      reason: plain(Type.Optional(nullable(HelpReason, 'One of the three reasons; null: no reason is given.'))),
    },
  }),
  free: row({
    title: 'Free a worker',
    help: 'Frees a worker who is trapped, injured or on the ground after a fall, so that the worker can move again. In a muster the worker walks to an assembly point, otherwise the worker continues to work. A scripted worker stays in place until a step moves the worker. The action does not change the alert. A worker is also freed when the alert that keeps the worker in place is resolved.',
    example: { who: 'W-014' },
    alone: 'who',
    gives: ['worker_id', 'device_id', 'buffered?'],
    fields: { who: Who },
  }),
  call_request: row({
    title: 'Request a call',
    help: 'The worker requests a call. Without coverage, the watch records a voice note, and sends both when it has coverage again.',
    example: { who: WORDS.worker },
    alone: 'who',
    gives: ['worker_id', 'device_id', 'alert_id', 'joined?', 'buffered?'],
    binds: 'alert',
    fields: {
      who: Who,
      voice_note: plain(
        Type.Optional(
          Type.Boolean({
            description: 'Whether the watch records a voice note. Default: true without coverage, otherwise false.',
          }),
        ),
      ),
    },
  }),
  declare: row({
    title: 'Declare that a worker is at an assembly point',
    help: 'The worker reports on the watch at which assembly point they are. The action does not move the worker.',
    example: { who: WORDS.worker, point: WORDS.hill },
    gives: ['worker_id', 'device_id', 'buffered?'],
    fields: { who: Who, point: AssemblyPointField },
  }),
  wear: row({
    title: 'Put the watch on or take it off',
    help: 'The worker puts the watch on, or takes it off. A watch that is taken off stays in its place. `unknown` means that it has no wrist sensor.',
    example: { who: WORDS.worker, is: 'off' },
    gives: ['worker_id', 'device_id', 'buffered?'],
    fields: { who: Who, is: plain(Type.Enum(['on', 'off', 'unknown'], { type: 'string' })) },
  }),
  battery: row({
    title: 'Set the battery',
    help: 'Sets the charge of the watch in percent (`pct`), the percentage points that it loses in an hour from now on (`drain`), or both.',
    example: { who: WORDS.worker, pct: 18 },
    misfit: someOf('battery needs pct or drain.', 'pct', 'drain'),
    gives: ['worker_id', 'device_id', 'alert_id?', 'buffered?'],
    binds: 'alert',
    fields: {
      who: Who,
      pct: plain(Type.Optional(BatteryPct)),
      drain: plain(
        Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 360_000,
            description: 'The loss of charge in percentage points per hour; 0: no loss.',
          }),
        ),
      ),
    },
  }),
  signal: row({
    title: 'Lose or regain signal',
    help: 'The watch loses its network, its GPS or both, or regains them. With `back`, the action returns when the watch is connected again.',
    example: { who: WORDS.worker, is: 'lost', kind: 'network' },
    gives: ['worker_id', 'device_id', 'buffered?'],
    undo: ({ who, is, kind }) => (is === 'lost' ? { who, is: 'back', ...(kind === undefined ? {} : { kind }) } : null),
    fields: {
      who: Who,
      is: plain(Type.Enum(['lost', 'back'], { type: 'string' })),
      kind: plain(Type.Optional(Type.Enum(['network', 'gps', 'both'], { type: 'string', default: 'both' }))),
    },
  }),
  device: row({
    title: 'Change the watch',
    help: 'Changes the status of the watch, replaces it by another one (`swap_to`: a serial), or makes its clock wrong.',
    example: { who: WORDS.worker, status: 'maintenance' },
    misfit: someOf('device needs status, swap_to or clock_skew.', 'status', 'swap_to', 'clock_skew'),
    gives: ['worker_id', 'device_id'],
    fields: {
      who: Who,
      status: plain(Type.Optional(DeviceStatus)),
      swap_to: Type.Optional(
        holds(
          'watch',
          Type.String({
            pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
            description:
              'The serial of another watch of the site, or of a new one. If a colleague wears it, the two exchange their watches.',
            'x-rule': 'must be a serial: letters, digits, dots, dashes and underscores',
          }),
        ),
      ),
      clock_skew: plain(
        Type.Optional(
          Type.String({
            'x-time': 'either' satisfies TimeDirection,
            pattern: '^-?(?=\\d)(\\d{1,6}d)?(\\d{1,9}h)?(\\d{1,9}m)?(\\d{1,9}s)?(\\d{1,9}ms)?$',
            description: 'The time by which the watch’s clock is ahead of the true time. A minus sign means behind.',
            'x-rule': 'must be a duration like 20s or -2m',
          }),
        ),
      ),
    },
  }),
  worker: row({
    title: 'Change the worker',
    help: 'Changes whether the worker is active, the role, or the contractor (null: none). The change applies to everything that is rendered afterwards.',
    example: { who: WORDS.worker, role: 'Rigger' },
    misfit: someOf('worker needs active, role or contractor.', 'active', 'role', 'contractor'),
    gives: ['worker_id', 'device_id'],
    fields: {
      who: Who,
      active: plain(Type.Optional(Type.Boolean())),
      role: plain(Type.Optional(nullable(name(200)))),
      contractor: plain(Type.Optional(nullable(name(200)))),
    },
  }),
} as const satisfies Record<string, ActionRow>;
