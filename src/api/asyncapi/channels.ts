/** The topics of the watch protocol as channels with their operations. [watch-protocol] */
import {
  downAlertTopic,
  downConfigTopic,
  HOST_STATE_TOPIC,
  musterTopic,
  UPLINK_EVENT_KINDS,
  type UplinkEventKind,
  upBatteryTopic,
  upEventTopic,
  upPositionTopic,
  upStatusTopic,
} from '../../contract/watch.ts';
import {
  ALERT_MESSAGES,
  BATTERY_MESSAGES,
  type ChannelMessage,
  CONFIG_MESSAGES,
  EVENT_MESSAGES,
  HOST_MESSAGES,
  MUSTER_MESSAGES,
  POSITION_MESSAGES,
  STATUS_MESSAGES,
} from './messages.ts';
import type { PARAMETER_WORDS } from './words.ts';

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

/** Operation of each kind of event. */
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
      'Birth after CONNACK and after the subscriptions; the last will on the same topic. The death of an older session is ignored.',
    parameters: OWN,
    messages: STATUS_MESSAGES,
    action: 'send',
    operations: [
      { name: 'sayBirth', summary: 'Say that the watch is there.', messages: ['birth'], qos: 1, retain: true },
      {
        name: 'sayGoodbye',
        summary: 'Say goodbye before DISCONNECT; the broker says it as the last will where the network fails.',
        messages: ['death'],
        qos: 1,
        retain: true,
      },
    ],
  },
  position: {
    address: upPositionTopic(SITE, SERIAL),
    title: 'Positions of a watch',
    description: 'One fix, or an array of fixes after an outage, oldest first; one bad fix refuses the whole array.',
    parameters: OWN,
    messages: POSITION_MESSAGES,
    action: 'send',
    operations: [
      { name: 'reportPosition', summary: 'Report where the watch is, every `position_every_s`.', qos: 0 },
      {
        name: 'reportPositionInAlarm',
        summary: 'Report it surely, every `alarm_every_s`, during a muster or while an alert of the worker is open.',
        qos: 1,
      },
    ],
  },
  battery: {
    address: upBatteryTopic(SITE, SERIAL),
    title: 'Charge of a watch',
    description: 'Said after the birth and when it changes.',
    parameters: OWN,
    messages: BATTERY_MESSAGES,
    action: 'send',
    operations: [{ name: 'reportBattery', summary: 'Report the charge.', qos: 0 }],
  },
  event: {
    address: upEventTopic(SITE, SERIAL, '{kind}' as UplinkEventKind),
    title: 'Events of a watch',
    description:
      'What the watch or its wearer reports, one topic for each kind. The same `id` is sent until the PUBACK, which means: committed, or refused for good.',
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
    title: 'What a watch shows',
    description:
      'Prompts, alerts, vehicles and rests, told apart by `kind`. Those that are open come again after each birth.',
    parameters: OWN,
    messages: ALERT_MESSAGES,
    action: 'receive',
    operations: [{ name: 'showAlert', summary: 'Show it to the worker.', qos: 1 }],
  },
  config: {
    address: downConfigTopic(SITE, SERIAL),
    title: 'How a watch reports',
    description: 'Retained: it comes with the subscription.',
    parameters: OWN,
    messages: CONFIG_MESSAGES,
    action: 'receive',
    operations: [{ name: 'takeConfiguration', summary: 'Report as it says from now on.', qos: 1, retain: true }],
  },
  muster: {
    address: musterTopic(SITE),
    title: 'Muster of a site',
    description:
      'Retained while an evacuation is active. One more message tells its end, with the final status; then the retained one is cleared.',
    parameters: ['site'],
    messages: MUSTER_MESSAGES,
    action: 'receive',
    operations: [
      {
        name: 'followMuster',
        summary: 'Show the muster; while `inspecting`, say not to return until further notice.',
        qos: 1,
        retain: true,
      },
    ],
  },
  host: {
    address: HOST_STATE_TOPIC,
    title: 'State of the service',
    description: 'Retained, and the last word of a service that stops.',
    parameters: [],
    messages: HOST_MESSAGES,
    action: 'receive',
    operations: [{ name: 'followHost', summary: 'Know whether the service is there.', qos: 1, retain: true }],
  },
};
