/** Actions of the control room on alerts. [scenario-language, Control room] */
import { Type } from 'typebox';
import { Duration, name, text } from '../shapes.ts';
import { DEFAULT_WORDS as WORDS } from './example-words.ts';
import { plain } from './field-kinds.ts';
import { type ActionRow, AlertReference, By, rowOf, Who } from './row.ts';

const row = rowOf('control_room');

const update = {
  alert: AlertReference,
  by: By,
  note: plain(Type.Optional(text(500))),
  external_id: plain(Type.Optional(text(64))),
  via: plain(
    Type.Optional(
      Type.Enum(['api', 'panel'], {
        type: 'string',
        default: 'api',
        description: 'api: through the API, as the customer’s own system does it. panel: in the panel.',
      }),
    ),
  ),
};

export const CONTROL_ROOM_ACTIONS = {
  acknowledge: row({
    title: 'Acknowledge an alert',
    help: 'An operator takes charge of the alert, through the API or in the panel.',
    example: { alert: '0d1c9e0a-5a3e-4c0e-8f43-0b1d6a1f2c3d', by: 'Control desk 2' },
    alone: 'alert',
    gives: ['alert_id'],
    fields: update,
  }),
  resolve: row({
    title: 'Resolve an alert',
    help: 'An operator closes the alert with a reason, through the API or in the panel. `note` becomes `resolved.note` of the alert; the reason is in its timeline.',
    example: { alert: '0d1c9e0a-5a3e-4c0e-8f43-0b1d6a1f2c3d', by: 'Control desk 2', reason: 'Worker attended' },
    alone: 'alert',
    gives: ['alert_id'],
    fields: { ...update, reason: plain(Type.Optional(text(200))) },
  }),
  reopen: row({
    title: 'Reopen an alert',
    help: 'A panel user opens a resolved alert again. The action is refused while a newer alert of the same kind is open.',
    example: { alert: '0d1c9e0a-5a3e-4c0e-8f43-0b1d6a1f2c3d', by: 'Shift lead' },
    alone: 'alert',
    gives: ['alert_id'],
    binds: 'alert',
    fields: { alert: AlertReference, by: By },
  }),
  assign: row({
    title: 'Assign an alert',
    help: 'A panel user assigns an open alert to a person; by default to the panel user.',
    example: { alert: '0d1c9e0a-5a3e-4c0e-8f43-0b1d6a1f2c3d', by: 'Shift lead', to: 'Control desk 2' },
    alone: 'alert',
    gives: ['alert_id'],
    binds: 'alert',
    fields: { alert: AlertReference, by: By, to: plain(Type.Optional(name(120))) },
  }),
  panel_sos: row({
    title: 'Raise an SOS for a worker',
    help: 'The control room raises an SOS on behalf of a worker.',
    example: { who: WORDS.worker, by: 'Control desk 2' },
    alone: 'who',
    gives: ['worker_id', 'device_id', 'alert_id', 'joined?'],
    binds: 'alert',
    fields: { who: Who, by: By },
  }),
  unveil: row({
    title: 'Approve a position request',
    help: 'Shows the position of the worker for the given time, although no alert is open. Only for a site in `on_demand` mode.',
    example: { who: WORDS.veiled, by: 'Shift lead', duration: '15m' },
    alone: 'who',
    gives: ['worker_id', 'device_id'],
    fields: { who: Who, by: By, duration: plain(Type.Optional(Duration)) },
  }),
} as const satisfies Record<string, ActionRow>;
