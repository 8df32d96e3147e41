/** The schemas of the sections `receivers`, `system` and `probes`: their readers, the editor schema and the reference use them. */
import { Type } from 'typebox';
import { EventSelector, Severity } from '../../contract/enumerations.ts';
import { DurationText } from '../../plant/section-words.ts';

const Text = Type.String({ minLength: 1, 'x-noun': 'a name' });

export const ReceiverSection = Type.Object(
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
  { additionalProperties: false, 'x-noun': 'a receiver' },
);

/** A text that a shell runs. Each key with this schema needs a permission: `commandsIn` finds it by the mark. [decisions 9, Scenarios with commands] */
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

export const SystemSection = Type.Object(
  {
    start: Type.Optional(Command),
    url: Type.Optional(Address),
    ready: Type.Optional(LocalPath),
    reset: Type.Optional(LocalPath),
    wake: Type.Optional(
      Type.Object(
        { post: LocalPath, every: DurationText },
        { additionalProperties: false, 'x-noun': 'a wake call', 'x-write': 'Write {post: /poll, every: 10s}.' },
      ),
    ),
    secret_to: Type.Optional(LocalPath),
    patience: Type.Optional(DurationText),
    time_zone: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][\\w+/-]*$',
        'x-noun': 'a time zone',
        'x-write': 'Write Asia/Tokyo.',
        description: 'Its local time: TZ of the process that `start` begins.',
      }),
    ),
  },
  { additionalProperties: false, 'x-noun': 'your system', 'x-write': 'Write {start: node server.mjs}.' },
);

export const ProbeSection = Type.Object(
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
  { additionalProperties: false, 'x-noun': 'a probe', 'x-write': 'Write {get: /open-alerts}.' },
);
