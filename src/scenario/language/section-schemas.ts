/** The schemas of the sections `receivers`, `system` and `probes`, used by their readers, the editor schema and the reference. */
import { Type } from 'typebox';
import { EventSelector, Severity } from '../../contract/enumerations.ts';
import { DurationText, explained, noun } from '../../plant/section-words.ts';

const Text = Type.String({ minLength: 1, 'x-noun': 'a name' });

export const ReceiverSection = explained(
  Type.Object(
    {
      events: Type.Optional(
        Type.Array(EventSelector, {
          minItems: 1,
          'x-noun': 'a list of event types',
          'x-write': 'Write [alert.*] or [muster.*].',
        }),
      ),
      min_severity: Type.Optional(Severity),
      contractors: Type.Optional(Type.Array(Text, { minItems: 1, 'x-noun': 'a list of contractors' })),
      sites: Type.Optional(Type.Array(Text, { minItems: 1, 'x-noun': 'a list of sites' })),
      url: Type.Optional(
        Type.String({
          pattern: '^(https?:/)?/\\S*$',
          'x-noun': 'an address',
          'x-write': 'Write http://127.0.0.1:3000/hook.',
        }),
      ),
      calls_back: Type.Optional(Type.Boolean({ 'x-noun': 'true or false' })),
      company: Type.Optional(Text),
    },
    {
      additionalProperties: false,
      'x-bare': true,
      ...noun('a receiver', 'Write {events: [alert.*]}.', {
        string: '$key: {events: [$value]}',
        array: '$key: {events: $value}',
        address: '$key: {url: $value}',
      }),
    },
  ),
  {
    events: 'The event types that it subscribes to. Default: all.',
    min_severity: 'Alerts of this severity or higher only.',
    contractors: 'Only events that affect these contractors.',
    sites: 'Only events of these sites.',
    url: 'The address of your own receiver, or a path of "system". Without it, the receiver is built in.',
    calls_back: 'true: the receiver calls the API after a delivery. Simulated time waits for this call.',
    company: 'The company whose events it gets, if the file has several companies.',
  },
);

/**
 * A text that a shell runs. Each key with this schema needs a permission: `commandsIn` finds the key by `x-command`.
 * [decisions 9, Scenarios with commands]
 */
const Command = Type.String({
  minLength: 1,
  'x-noun': 'a command',
  'x-write': 'Write node server.mjs.',
  'x-command': true,
});
const LocalPath = Type.String({
  pattern: '^/\\S*$',
  'x-noun': 'a path of your system',
  'x-write': 'Write /reset, or another that begins with a slash.',
});
const Address = Type.String({
  pattern: '^https?://\\S+$',
  'x-noun': 'an address',
  'x-write': 'Write http://127.0.0.1:3000.',
});

export const SystemSection = explained(
  Type.Object(
    {
      start: Type.Optional(Command),
      url: Type.Optional(Address),
      ready: Type.Optional(LocalPath),
      reset: Type.Optional(LocalPath),
      wake: Type.Optional(
        Type.Object(
          { post: LocalPath, every: DurationText },
          {
            additionalProperties: false,
            ...noun('a wake call', 'Write {post: /poll, every: 10s}.', { address: '$key: {post: $value, every: 10s}' }),
          },
        ),
      ),
      secret_to: Type.Optional(LocalPath),
      patience: Type.Optional(DurationText),
      time_zone: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z][\\w+/-]*$',
          'x-noun': 'a time zone',
          'x-write': 'Write Asia/Tokyo.',
          description: 'The time zone of the system: the variable TZ of the process that `start` runs.',
        }),
      ),
    },
    {
      additionalProperties: false,
      ...noun('your system', 'Write {start: node server.mjs}.', {
        string: '$key: {start: $value}',
        address: '$key: {url: $value, reset: /reset}',
      }),
    },
  ),
  {
    start: 'The command that starts your system.',
    url: 'The address of a system that is already running.',
    ready: 'A path that answers with a status of 200 to 299 when the system is ready.',
    reset: 'A path to which a POST is sent to delete all data of the system.',
    wake: 'A path that is called at intervals of simulated time. It replaces a timer of the system.',
    secret_to: 'A path to which the new secret is sent by POST after a rotation.',
    patience: 'The additional wall time that a check of your system waits after its limit. Default: 2s.',
  },
);

export const ProbeSection = explained(
  Type.Object(
    {
      get: Type.Optional(
        Type.String({
          pattern: '^(https?:/)?/\\S*$',
          'x-noun': 'a path or an address',
          'x-write': 'Write /path or http://127.0.0.1:3000/path.',
        }),
      ),
      run: Type.Optional(Command),
      path: Type.Optional(
        Type.String({ minLength: 1, 'x-noun': 'a place in the answer', 'x-write': 'Write alerts[*].id.' }),
      ),
    },
    {
      additionalProperties: false,
      ...noun('a probe', 'Write {get: /open-alerts}.', {
        string: '$key: {run: $value}',
        address: '$key: {get: $value}',
      }),
    },
  ),
  {
    get: 'A path or an address that answers with JSON.',
    run: 'A command that prints JSON.',
    path: 'The part of the answer to compare, such as alerts[*].id.',
  },
);
