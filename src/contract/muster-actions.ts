/** The actions of the control room with an evacuation: only a person opens, steers and ends one. [spec 1.3, decisions 6] */
import { Type } from 'typebox';
import { type ActionRow, Reference, row, Who } from './action-row.ts';
import { DeadlineSource, MusterKind } from './enumerations.ts';
import { Duration, described, inline, Latitude, Longitude, name, text, whole } from './shapes.ts';

/** Who in the control room: a name as the panel shows it. */
const By = described(name(120), 'The person of the control room who decides.');

/** May be left out where one is active on the site. [decisions 9] */
const OneMuster = Type.Optional(described(name(200), 'Its id; may be left out where one muster is active.'));

/** A duration from now, or an ISO time. [decisions 9] */
const When = Type.String({
  pattern: `${(Duration as { pattern?: string }).pattern}|^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}.*$`,
  description: 'A duration from now, or a time.',
  'x-rule': 'must be a duration like 30m, or a time like 2026-10-05T06:30:00Z',
});

const deadline = {
  deadline: Type.Optional(When),
  deadline_source: Type.Optional(
    described(DeadlineSource, '`official` where a deadline is given; without one it is the plan’s.'),
  ),
};

/** A zone, degrees, or metres from the site's origin. [decisions 9] */
const At = Type.Union(
  [
    Reference,
    inline({ latitude: Latitude, longitude: Longitude }),
    Type.Array(Type.Number({ minimum: -1_000_000, maximum: 1_000_000 }), { minItems: 2, maxItems: 2 }),
  ],
  { description: 'A zone, degrees, or [x, y] metres east and north of the site’s origin.' },
);

const Origin = inline({
  at: Type.Optional(At),
  zone: Type.Optional(described(name(200), 'A whole zone: the radius counts from its edge.')),
  radius_m: Type.Optional(whole(0, 100_000)),
  label: Type.Optional(text(200)),
});

const Reason = text(500, 1);

const controlRoom = { group: 'control_room', clientMay: false } as const;

export const MUSTER_ACTIONS = {
  start_muster: row({
    title: 'Start a muster',
    help: 'A person in the control room opens an evacuation. One at a time on a site.',
    example: { kind: 'general', site: 'Terminal Puerto Alerce', reason: 'Drill', by: 'Shift lead' },
    ...controlRoom,
    fields: {
      kind: MusterKind,
      by: By,
      site: Type.Optional(Reference),
      reason: Type.Optional(Reason),
      origin: Type.Optional(Origin),
      ...deadline,
    },
  }),
  change_kind: row({
    title: 'Change the kind of a muster',
    help: 'The targets become the points that serve the new kind. Excluded points stay excluded.',
    example: { to: 'tsunami', deadline: '30m', by: 'Shift lead' },
    ...controlRoom,
    fields: { muster: OneMuster, to: MusterKind, by: By, ...deadline },
  }),
  exclude_point: row({
    title: 'Exclude an assembly point',
    help: 'The people there count as at the wrong point from the next count on.',
    example: { point: 'Gate A', reason: 'Smoke', by: 'Shift lead' },
    ...controlRoom,
    fields: { muster: OneMuster, point: Reference, reason: Reason, by: By },
  }),
  reinstate_point: row({
    title: 'Reinstate an assembly point',
    help: 'The point is a target again. Refused where it is not excluded.',
    example: { point: 'Gate A', by: 'Shift lead' },
    ...controlRoom,
    fields: { muster: OneMuster, point: Reference, by: By },
  }),
  mark_safe: row({
    title: 'Mark somebody safe',
    help: 'The control room knows that they are safe. Without a point they count as safe and at none.',
    example: { who: 'W-014', by: 'Shift lead' },
    ...controlRoom,
    fields: { muster: OneMuster, who: Who, by: By, point: Type.Optional(Reference) },
  }),
  inspect: row({
    title: 'Inspect the plant',
    help: 'The count is complete; nobody returns until further notice. Refused while anybody is missing.',
    example: { by: 'Shift lead' },
    ...controlRoom,
    fields: { muster: OneMuster, by: By },
  }),
  end_muster: row({
    title: 'End a muster',
    help: 'Completed or cancelled, from either phase. The closing figures stay.',
    example: { outcome: 'completed', by: 'Shift lead' },
    ...controlRoom,
    fields: { muster: OneMuster, outcome: Type.Enum(['completed', 'cancelled'], { type: 'string' }), by: By },
  }),
} as const satisfies Record<string, ActionRow>;
