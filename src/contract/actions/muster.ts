/** Actions of the control room on an evacuation: only a person opens, steers and ends one. [spec 1.3, decisions 6] */
import { Type } from 'typebox';
import { DeadlineSource, MusterKind } from '../enumerations.ts';
import { described, inline, name, text, whole } from '../shapes.ts';
import { DEFAULT_WORDS as WORDS } from './example-words.ts';
import { type ActionProperties, holds, plain } from './field-kinds.ts';
import {
  type ActionRow,
  AssemblyPointField,
  By,
  MomentField,
  PlaceField,
  rowOf,
  SiteField,
  siteFrom,
  Who,
} from './row.ts';

const row = rowOf('control_room');

/** Optional if one is active on the site. [decisions 9] */
const OneMuster = Type.Optional(
  holds('muster', described(name(200), 'Its id; may be left out where one muster is active.')),
);

const deadline = {
  deadline: Type.Optional(MomentField),
  deadline_source: plain(
    Type.Optional(described(DeadlineSource, '`official` where a deadline is given; without one it is the plan’s.')),
  ),
};

const Origin = holds(
  'parts',
  inline({
    at: Type.Optional(PlaceField),
    zone: Type.Optional(holds('zone', described(name(200), 'A whole zone: the radius counts from its edge.'))),
    radius_m: plain(Type.Optional(whole(0, 100_000))),
    label: plain(Type.Optional(text(200))),
  } satisfies ActionProperties),
);

const Reason = plain(text(500, 1));

export const MUSTER_ACTIONS = {
  start_muster: row({
    title: 'Start a muster',
    help: 'A person in the control room opens an evacuation. One at a time on a site.',
    example: { kind: 'general', site: WORDS.site, reason: 'Drill', by: 'Shift lead' },
    gives: ['muster_id', 'site_id'],
    binds: 'muster',
    fields: {
      kind: plain(MusterKind),
      by: By,
      site: siteFrom(SiteField, 'origin'),
      reason: Type.Optional(Reason),
      origin: Type.Optional(Origin),
      ...deadline,
    },
  }),
  change_kind: row({
    title: 'Change the kind of a muster',
    help: 'The targets become the points that serve the new kind. Excluded points stay excluded.',
    example: { to: 'tsunami', deadline: '30m', by: 'Shift lead' },
    gives: ['muster_id', 'site_id'],
    binds: 'muster',
    fields: { muster: OneMuster, to: plain(MusterKind), by: By, ...deadline },
  }),
  exclude_point: row({
    title: 'Exclude an assembly point',
    help: 'The people there count as at the wrong point from the next count on.',
    example: { point: WORDS.gate, reason: 'Smoke', by: 'Shift lead' },
    gives: ['muster_id', 'site_id'],
    fields: { muster: OneMuster, point: AssemblyPointField, reason: Reason, by: By },
  }),
  reinstate_point: row({
    title: 'Reinstate an assembly point',
    help: 'The point is a target again. Refused where it is not excluded.',
    example: { point: WORDS.gate, by: 'Shift lead' },
    gives: ['muster_id', 'site_id'],
    fields: { muster: OneMuster, point: AssemblyPointField, by: By },
  }),
  mark_safe: row({
    title: 'Mark somebody safe',
    help: 'The control room knows that they are safe. Without a point they count as safe and at none.',
    example: { who: WORDS.worker, by: 'Shift lead' },
    gives: ['muster_id', 'site_id', 'worker_id', 'device_id'],
    fields: { muster: OneMuster, who: Who, by: By, point: Type.Optional(AssemblyPointField) },
  }),
  inspect: row({
    title: 'Inspect the plant',
    help: 'The count is complete; nobody returns until further notice. Refused while anybody is missing.',
    example: { by: 'Shift lead' },
    gives: ['muster_id', 'site_id'],
    fields: { muster: OneMuster, by: By },
  }),
  end_muster: row({
    title: 'End a muster',
    help: 'Completed or cancelled, from either phase. The closing figures stay.',
    example: { outcome: 'completed', by: 'Shift lead' },
    gives: ['muster_id', 'site_id'],
    fields: { muster: OneMuster, outcome: plain(Type.Enum(['completed', 'cancelled'], { type: 'string' })), by: By },
  }),
} as const satisfies Record<string, ActionRow>;
