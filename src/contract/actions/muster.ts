/** Control-room actions on an evacuation: only a person starts, manages and ends one. [spec 1.3, decisions 6] */

import { Type } from 'typebox';
import { DeadlineSource, MusterKind } from '../enumerations.ts';
import { isMap, type JsonMap } from '../schema.ts';
import { described, inline, name, text, whole } from '../shapes.ts';
import { type Misfit, required } from './combinations.ts';
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

/** The muster. Optional if only one is active on the site. [decisions 9] */
const OneMuster = Type.Optional(
  holds('muster', described(name(200), 'The id of the muster. It can be omitted if only one muster is active.')),
);

const deadline = {
  deadline: Type.Optional(MomentField),
  deadline_source: plain(
    Type.Optional(
      described(DeadlineSource, 'Default: `official` if a deadline is given, otherwise the source of the plan.'),
    ),
  ),
};

const Origin = holds(
  'parts',
  inline({
    at: Type.Optional(PlaceField),
    zone: Type.Optional(
      holds('zone', described(name(200), 'A whole zone as the origin. The radius is measured from its border.')),
    ),
    radius_m: plain(Type.Optional(whole(0, 100_000))),
    label: plain(Type.Optional(text(200))),
  } satisfies ActionProperties),
);

const Reason = plain(text(500, 1));

function misfitOfOrigin(origin: unknown): Misfit | null {
  if (!isMap(origin) || (origin['at'] === undefined) !== (origin['zone'] === undefined)) return null;
  return {
    message: 'The origin is either a point (at) or a zone.',
    errors: [{ pointer: '/origin', detail: 'needs at or zone' }],
  };
}

const misfitOfDeadline = ({ deadline, deadline_source }: JsonMap): Misfit | null =>
  deadline === undefined && deadline_source === 'official'
    ? required('An official deadline has a time.', 'deadline')
    : null;

export const MUSTER_ACTIONS = {
  start_muster: row({
    title: 'Start a muster',
    help: 'A person in the control room starts an evacuation. A site can have one active muster.',
    example: { kind: 'general', site: WORDS.site, reason: 'Drill', by: 'Shift lead' },
    misfit: ({ origin, ...fields }) => misfitOfOrigin(origin) ?? misfitOfDeadline(fields),
    alone: 'kind',
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
    help: 'Changes the kind of the active muster. The muster then uses the assembly points that serve the new kind. Excluded points stay excluded.',
    example: { to: 'tsunami', deadline: '30m', by: 'Shift lead' },
    misfit: misfitOfDeadline,
    gives: ['muster_id', 'site_id'],
    binds: 'muster',
    fields: { muster: OneMuster, to: plain(MusterKind), by: By, ...deadline },
  }),
  exclude_point: row({
    title: 'Exclude an assembly point',
    help: 'Excludes an assembly point from the muster. From the next headcount on, the workers at the point count as at a wrong point. A worker who is too low in a vertical assembly point counts as not arrived, excluded or not.',
    example: { point: WORDS.gate, reason: 'Smoke', by: 'Shift lead' },
    gives: ['muster_id', 'site_id'],
    fields: { muster: OneMuster, point: AssemblyPointField, reason: Reason, by: By },
  }),
  reinstate_point: row({
    title: 'Reinstate an assembly point',
    help: 'Makes an excluded assembly point available again. The action is refused if the point is not excluded.',
    example: { point: WORDS.gate, by: 'Shift lead' },
    gives: ['muster_id', 'site_id'],
    fields: { muster: OneMuster, point: AssemblyPointField, by: By },
  }),
  mark_safe: row({
    title: 'Mark a worker safe',
    help: 'The control room confirms that the worker is safe. Without `point`, the worker counts as safe, but at no assembly point.',
    example: { who: WORDS.worker, by: 'Shift lead' },
    gives: ['muster_id', 'site_id', 'worker_id', 'device_id'],
    fields: { muster: OneMuster, who: Who, by: By, point: Type.Optional(AssemblyPointField) },
  }),
  inspect: row({
    title: 'Inspect the plant',
    help: 'The headcount is complete, and the control room inspects the plant. The watches show that the workers must not return. The action is refused while a worker is missing.',
    example: { by: 'Shift lead' },
    alone: 'muster',
    gives: ['muster_id', 'site_id'],
    fields: { muster: OneMuster, by: By },
  }),
  end_muster: row({
    title: 'End a muster',
    help: 'Ends the muster as completed or cancelled, from either phase. The last headcount is kept.',
    example: { outcome: 'completed', by: 'Shift lead' },
    alone: 'outcome',
    gives: ['muster_id', 'site_id'],
    fields: { muster: OneMuster, outcome: plain(Type.Enum(['completed', 'cancelled'], { type: 'string' })), by: By },
  }),
} as const satisfies Record<string, ActionRow>;
