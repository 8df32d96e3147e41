/**
 * The messages of the watch protocol with examples, and the channels and operations that carry them, from the watch's
 * point of view. The messages of `up/event` come from the contract's table. [watch-protocol]
 */

import type { Static, TSchema } from 'typebox';
import {
  DownAlertState,
  DownConfig,
  DownPrompt,
  DownRest,
  DownVehicle,
  downAlertTopic,
  downConfigTopic,
  HOST_STATE_TOPIC,
  HostState,
  MusterNotice,
  musterTopic,
  UPLINK_EVENT_KINDS,
  UPLINK_EVENTS,
  type UplinkEvent,
  type UplinkEventKind,
  upBatteryTopic,
  upEventTopic,
  upPositionTopic,
  upStatusTopic,
  WatchBattery,
  WatchBirth,
  WatchDeath,
  WatchPositions,
} from '../../../contract/watch.ts';
import type { PARAMETER_WORDS } from './words.ts';

interface MessageExample {
  readonly name: string;
  readonly summary: string;
  readonly payload: unknown;
}

export interface ChannelMessage {
  readonly title: string;
  readonly summary: string;
  /** Null if the payload is empty. */
  readonly schema: TSchema | null;
  readonly examples: readonly MessageExample[];
}

type Examples<T> = Readonly<Record<string, readonly [summary: string, payload: T]>>;

function message<S extends TSchema>(
  title: string,
  summary: string,
  schema: S,
  examples: Examples<Static<S>>,
): ChannelMessage {
  const written = Object.entries(examples).map(([name, [summary, payload]]) => ({ name, summary, payload }));
  return { title, summary, schema, examples: written };
}

const ID = '0192f3c4-5b6a-4c8d-9e0f-1a2b3c4d5e6f';
const ALERT = '5f0c1d7e-93a4-4b52-8a61-27f4f0c9b1d3';
const POINT = 'c1a9e2b4-7d38-4f05-9b6e-3e52d8a7f410';
const T = '2026-10-05T06:00:00.000Z';
const stamp = { session: 3, seq: 17, t: T };
const fix = {
  ...stamp,
  latitude: 37.2041,
  longitude: -6.9213,
  uncertainty_m: 4.5,
  source: 'gps',
  in_vehicle: false,
  worn: true,
} as const;

const STATUS_MESSAGES = {
  birth: message('Birth', 'The watch is connected and has subscribed.', WatchBirth, {
    birth: ['The third connection of a watch', { online: true, session: 3, firmware: '2.4.0', t: T }],
  }),
  death: message('Death', 'The last will, and the message of a watch that disconnects.', WatchDeath, {
    death: ['The end of that connection', { online: false, session: 3 }],
  }),
} as const satisfies Record<string, ChannelMessage>;

const POSITION_MESSAGES = {
  position: message(
    'Position',
    'One position fix, or an array of the fixes of an outage, oldest first.',
    WatchPositions,
    {
      one: ['A fix outdoors', fix],
      floor: [
        'A fix by the network, on a floor that the barometer determines',
        {
          ...fix,
          uncertainty_m: null,
          source: 'network',
          height: { height_m: 7.2, uncertainty_m: 1.5, building: 'Office', floor: '2' },
          worn: null,
        },
      ],
      outage: [
        'Two fixes that were made without coverage',
        [
          { ...fix, t: '2026-10-05T05:58:00.000Z' },
          { ...fix, seq: 18, t: '2026-10-05T05:58:10.000Z' },
        ],
      ],
    },
  ),
} as const satisfies Record<string, ChannelMessage>;

const BATTERY_MESSAGES = {
  battery: message('Battery', 'The charge of the watch.', WatchBattery, {
    charge: ['On the wrist', { ...stamp, pct: 81, charging: false }],
  }),
} as const satisfies Record<string, ChannelMessage>;

/** Examples for each kind of event: its own fields, without the common ones. */
const EVENT_EXAMPLES: { readonly [K in UplinkEventKind]: Examples<Omit<UplinkEvent<K>, 'id' | keyof typeof stamp>> } = {
  sos: { pressed: ['By the button on the screen', { with: 'watch_button' }] },
  fall: { fell: ['The watch detected a fall', {}] },
  prompt: { answered: ['The worker who fell is well', { fall_id: ID, answer: 'ok' }] },
  ack: {
    one: ['This alert', { alert_id: ALERT }],
    newest: ['The newest open alert', {}],
  },
  call: { recorded: ['With a voice note', { voice_note: true }] },
  help: {
    trapped: ['With the reason', { reason: 'trapped' }],
    unknown: ['Without one', { reason: null }],
  },
  declare: { there: ['At this assembly point', { point_id: POINT }] },
  vehicle_ack: { seen: ['The worker saw the vehicle', { warning_id: ID }] },
};

/** The message on `up/event/{kind}`, by kind. */
const EVENT_MESSAGES = Object.fromEntries(UPLINK_EVENT_KINDS.map((kind) => [kind, eventMessage(kind)])) as Record<
  UplinkEventKind,
  ChannelMessage
>;

function eventMessage(kind: UplinkEventKind): ChannelMessage {
  const schema: TSchema & { title?: string; description?: string } = UPLINK_EVENTS[kind];
  const { title = kind, description = '' } = schema;
  const examples: Examples<object> = EVENT_EXAMPLES[kind];
  return {
    title: title.replace(/^Watch/, ''),
    summary: description,
    schema,
    examples: Object.entries(examples).map(([name, [summary, fields]]) => ({
      name,
      summary,
      payload: { id: ID, ...stamp, ...fields },
    })),
  };
}

const ALERT_MESSAGES = {
  prompt: message(
    'Prompt',
    'Ask the worker who fell whether they are well. The service measures the time.',
    DownPrompt,
    {
      prompt: ['Thirty seconds from the fall', { kind: 'prompt', fall_id: ID, until: '2026-10-05T06:00:30.000Z' }],
    },
  ),
  alert: message('Alert', 'An alert of the worker was raised, or the control room changed it.', DownAlertState, {
    raised: ['Nobody acted yet', { kind: 'alert', alert_id: ALERT, type: 'sos', status: 'unacknowledged', by: null }],
    acknowledged: [
      'The control room has acknowledged it',
      { kind: 'alert', alert_id: ALERT, type: 'sos', status: 'acknowledged', by: 'Shift lead' },
    ],
  }),
  vehicle: message('Vehicle', 'A vehicle is near.', DownVehicle, {
    truck: ['A truck at 20 m', { kind: 'vehicle', warning_id: ID, vehicle_type: 'truck', distance_m: 20 }],
  }),
  rest: message('Rest', 'Stop and rest.', DownRest, {
    rest: ['After too long in the heat', { kind: 'rest', alert_id: ALERT }],
  }),
} as const satisfies Record<string, ChannelMessage>;

const CONFIG_MESSAGES = {
  config: message('Configuration', 'The report intervals, and the time for which to show a prompt.', DownConfig, {
    usual: ['The usual', { position_every_s: 10, alarm_every_s: 5, prompt_s: 30 }],
  }),
} as const satisfies Record<string, ChannelMessage>;

const muster = {
  muster_id: ID,
  status: 'active',
  kind: 'general',
  phase: 'evacuating',
  revision: 1,
  deadline: '2026-10-05T06:12:00.000Z',
  points: [
    {
      id: POINT,
      name: 'North gate',
      latitude: 37.2071,
      longitude: -6.9197,
      vertical: false,
      status: 'available',
      serves: ['general', 'earthquake'],
    },
  ],
} satisfies MusterNotice;

const MUSTER_MESSAGES = {
  muster: message('Muster', 'The evacuation of the site, and its assembly points.', MusterNotice, {
    evacuating: ['Go to the north gate', muster],
    inspecting: ['Do not return until further notice', { ...muster, phase: 'inspecting' }],
    over: ['It has ended', { ...muster, status: 'completed', phase: 'inspecting' }],
  }),
  cleared: {
    title: 'Muster cleared',
    summary: 'An empty payload that clears the retained muster; a connected watch ignores it.',
    schema: null,
    examples: [{ name: 'nothing', summary: 'No bytes', payload: '' }],
  },
} as const satisfies Record<string, ChannelMessage>;

const HOST_MESSAGES = {
  state: message('Host state', 'Whether the service is online.', HostState, {
    here: ['It is there', { online: true }],
    gone: ['It stops', { online: false }],
  }),
} as const satisfies Record<string, ChannelMessage>;

// The topics of the watch protocol as channels with their operations. [watch-protocol]

export interface ChannelOperation {
  readonly name: string;
  readonly summary: string;
  /** Default: all messages of the channel. */
  readonly messages?: readonly string[];
  readonly qos: 0 | 1;
  readonly retain?: true;
}

export interface Channel {
  readonly address: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly (keyof typeof PARAMETER_WORDS)[];
  readonly messages: Readonly<Record<string, ChannelMessage>>;
  readonly action: 'send' | 'receive';
  readonly operations: readonly ChannelOperation[];
}

const SITE = '{site}';
const SERIAL = '{serial}';
const OWN = ['site', 'serial'] as const;

/** The name of the operation for each kind of event. */
const REPORTS: { readonly [K in UplinkEventKind]: string } = {
  sos: 'reportSos',
  fall: 'reportFall',
  prompt: 'answerPrompt',
  ack: 'acknowledgeAlert',
  call: 'requestCall',
  help: 'reportHelp',
  declare: 'declareAtPoint',
  vehicle_ack: 'acknowledgeVehicle',
};

export const CHANNELS: Readonly<Record<string, Channel>> = {
  status: {
    address: upStatusTopic(SITE, SERIAL),
    title: 'Status of a watch',
    description:
      'The birth message is published after CONNACK and after the subscriptions. The last will has the same topic. The death message of an older session is ignored.',
    parameters: OWN,
    messages: STATUS_MESSAGES,
    action: 'send',
    operations: [
      { name: 'sayBirth', summary: 'Publish that the watch is connected.', messages: ['birth'], qos: 1, retain: true },
      {
        name: 'sayGoodbye',
        summary: 'Publish this before DISCONNECT. If the network fails, the broker publishes it as the last will.',
        messages: ['death'],
        qos: 1,
        retain: true,
      },
    ],
  },
  position: {
    address: upPositionTopic(SITE, SERIAL),
    title: 'Positions of a watch',
    description:
      'One position fix, or an array of fixes after an outage, oldest first. If one fix is invalid, the whole array is refused.',
    parameters: OWN,
    messages: POSITION_MESSAGES,
    action: 'send',
    operations: [
      { name: 'reportPosition', summary: 'Report the position of the watch, every `position_every_s`.', qos: 0 },
      {
        name: 'reportPositionInAlarm',
        summary:
          'Report the position with QoS 1, every `alarm_every_s`, during a muster or while an alert of the worker is open.',
        qos: 1,
      },
    ],
  },
  battery: {
    address: upBatteryTopic(SITE, SERIAL),
    title: 'Charge of a watch',
    description: 'Published after the birth message and when the charge changes.',
    parameters: OWN,
    messages: BATTERY_MESSAGES,
    action: 'send',
    operations: [{ name: 'reportBattery', summary: 'Report the charge.', qos: 0 }],
  },
  event: {
    address: upEventTopic(SITE, SERIAL, '{kind}' as UplinkEventKind),
    title: 'Events of a watch',
    description:
      'What the watch or its wearer reports. Each kind has its own topic. The same `id` is sent until the PUBACK. The PUBACK means that the event is committed, or refused permanently.',
    parameters: [...OWN, 'kind'],
    messages: EVENT_MESSAGES,
    action: 'send',
    operations: UPLINK_EVENT_KINDS.map((kind) => ({
      name: REPORTS[kind],
      summary: `${EVENT_MESSAGES[kind].summary} \`{kind}\` is \`${kind}\`.`,
      messages: [kind],
      qos: 1,
    })),
  },
  alert: {
    address: downAlertTopic(SITE, SERIAL),
    title: 'Messages to show on a watch',
    description:
      'Prompts, alerts, vehicle warnings and rests, distinguished by `kind`. Those that are still open are sent again after each birth message.',
    parameters: OWN,
    messages: ALERT_MESSAGES,
    action: 'receive',
    operations: [{ name: 'showAlert', summary: 'Show it to the worker.', qos: 1 }],
  },
  config: {
    address: downConfigTopic(SITE, SERIAL),
    title: 'Configuration of a watch',
    description: 'The message is retained: the broker sends it on subscription.',
    parameters: OWN,
    messages: CONFIG_MESSAGES,
    action: 'receive',
    operations: [{ name: 'takeConfiguration', summary: 'Use these intervals from now on.', qos: 1, retain: true }],
  },
  muster: {
    address: musterTopic(SITE),
    title: 'Muster of a site',
    description:
      'The message is retained while a muster is active. One more message reports the end with the final status. Then the retained message is cleared.',
    parameters: ['site'],
    messages: MUSTER_MESSAGES,
    action: 'receive',
    operations: [
      {
        name: 'followMuster',
        summary: 'Show the muster. In the phase `inspecting`, show that workers must not return until further notice.',
        qos: 1,
        retain: true,
      },
    ],
  },
  host: {
    address: HOST_STATE_TOPIC,
    title: 'State of the service',
    description: 'The message is retained. A service that stops publishes it last.',
    parameters: [],
    messages: HOST_MESSAGES,
    action: 'receive',
    operations: [{ name: 'followHost', summary: 'Know whether the service is online.', qos: 1, retain: true }],
  },
};
