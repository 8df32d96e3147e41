/** Documentation of the subjects of checks. */
import { ALERT_TYPES, EVENT_SELECTORS } from '../../contract/enumerations.ts';
import { Alert, Device, Muster, Position, WebhookDestination, Worker } from '../../contract/resources.ts';
import type { SubjectWord } from '../reading/read-check.ts';

export interface SubjectHelp {
  readonly word: string;
  readonly help: string;
  /** The value of the word. */
  readonly value: string;
  /** Its own keys with descriptions. */
  readonly keys: Readonly<Record<string, string>>;
  /** Fields of the resource that it accepts. */
  readonly fields: readonly string[];
  readonly example: string;
  /** Enum words of its value. */
  readonly words: readonly string[];
}

const fieldsOf = ({ properties }: { properties: object }): string[] => Object.keys(properties);
const COUNT = 'How many there must be: 0, 2, 1..3, 3.. for three or more, or ">= 3".';

const SUBJECT_HELP: { readonly [K in SubjectWord]: Omit<SubjectHelp, 'word'> } = {
  event: {
    help: 'Something that happened to an alert or a muster.',
    value: 'an event type, alert.*, muster.*, or $name',
    keys: {
      of: 'Of these people.',
      about: 'About this alert or muster: $name.',
      object: 'What the alert or muster looks like in it, partly.',
      data: 'The envelope’s own data, partly.',
      count: COUNT,
    },
    fields: [],
    example: '{event: alert.created, of: ana, object: {severity: critical}}',
    words: EVENT_SELECTORS,
  },
  alert: {
    help: 'An alert as it is now: one that was created or changed since the last action, or the one that is named.',
    value: 'an alert type, any, $name, or a list of names',
    keys: { of: 'Of these people.' },
    fields: fieldsOf(Alert),
    example: '{alert: fall_detected, of: ana, status: unacknowledged}',
    words: ['any', ...ALERT_TYPES],
  },
  alerts: {
    help: 'How many alerts there are now.',
    value: 'open or all',
    keys: { of: 'Of these people.', type: 'Of this type.', count: COUNT },
    fields: [],
    example: '{alerts: open, count: 0}',
    words: ['open', 'all'],
  },
  muster: {
    help: 'An evacuation as it is now.',
    value: '$name or active',
    keys: {},
    fields: fieldsOf(Muster),
    example: '{muster: active, totals: {safe: ">= 12"}}',
    words: ['active'],
  },
  missing: {
    help: 'Who of a muster is not safe, as of the last count.',
    value: '$name of a muster',
    keys: { people: 'The status of each: {ana: help}; null: not missing.', count: COUNT },
    fields: [],
    example: '{missing: $m, people: {ana: help}}',
    words: [],
  },
  delivery: {
    help: 'One attempt to bring an event to a receiver, and how it went.',
    value: 'a receiver or any',
    keys: {
      event: 'An event type, or $name.',
      about: 'About this alert or muster: $name.',
      result: 'delivered, waiting, lost or dropped.',
      tries: 'The number of the attempt, from 1.',
      offsets: 'When each attempt was made, from the event: [0s, 10s].',
      signatures: '1, or 2 in a rotation.',
      status: 'What the receiver answered; null: nothing.',
    },
    fields: [],
    example: '{delivery: erp, event: alert.created, result: delivered, tries: 1}',
    words: ['any'],
  },
  deliveries: {
    help: 'What a receiver has accepted since the last action.',
    value: 'a receiver',
    keys: { order: 'The events in the order of acceptance, all of them; {contains: [...]} for some.', count: COUNT },
    fields: [],
    example: '{deliveries: erp, order: [alert.created, alert.acknowledged]}',
    words: [],
  },
  destination: {
    help: 'How the customer’s destination for a receiver stands.',
    value: 'a receiver',
    keys: {},
    fields: fieldsOf(WebhookDestination),
    example: '{destination: erp, failing_since: null, is_active: true}',
    words: [],
  },
  watch: {
    help: 'What stands on a watch.',
    value: 'a worker',
    keys: { shows: 'prompt, alert, muster, rest, vehicle or nothing; its fields beside it.' },
    fields: [],
    example: '{watch: ana, shows: prompt}',
    words: [],
  },
  worker: {
    help: 'A worker as a client would get them now.',
    value: 'a worker',
    keys: {},
    fields: fieldsOf(Worker),
    example: '{worker: ana, is_active: true}',
    words: [],
  },
  device: {
    help: 'The watch that a worker wears, as a client would get it now.',
    value: 'a worker',
    keys: {},
    fields: fieldsOf(Device),
    example: '{device: ana, battery: "<= 20"}',
    words: [],
  },
  position: {
    help: 'Where a client would see a worker now.',
    value: 'a worker',
    keys: { visible: 'Whether the veil lets it through.', masked: 'Whether a privacy zone hides the point.' },
    fields: fieldsOf(Position),
    example: '{position: ana, visible: true, masked: false}',
    words: [],
  },
  request: {
    help: 'What a customer’s own client has called, as the audit log has it.',
    value: 'method and path; * stands for one part of the path',
    keys: { company: 'Whose client.', status: 'What it was answered.', code: 'The code of the problem.', count: COUNT },
    fields: [],
    example: '{request: PATCH /v1/alerts/*, status: 200}',
    words: [],
  },
  probe: {
    help: 'What your own system answers now. In rules only, with always, or in "followed_by".',
    value: 'the name of a probe',
    keys: {
      same_as:
        'The list has the ids of these: {alerts: open}, {alerts: all}, {musters: active} or {musters: all}, and any field of them.',
      distinct: 'true: the list has nothing twice.',
      value: 'What the answer must be.',
      count: COUNT,
    },
    fields: [],
    example: '{probe: open_alerts, same_as: {alerts: open}}',
    words: [],
  },
  mail: {
    help: 'An e-mail to a company’s technical contact.',
    value: 'an address or any',
    keys: { subject: 'What the subject contains.', text: 'What the text contains.', count: COUNT },
    fields: [],
    example: '{mail: any, subject: could not be delivered}',
    words: ['any'],
  },
};

export const SUBJECT_CATALOGUE: readonly SubjectHelp[] = Object.entries(SUBJECT_HELP).map(([word, help]) => ({
  word,
  ...help,
}));
