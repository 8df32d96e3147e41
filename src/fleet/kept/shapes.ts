/** Shapes that several kept documents share. Instants are simulated milliseconds; `null` where code says never. */
import { type Static, Type } from 'typebox';
import { inline, nullable } from '../../contract/shapes.ts';
import { NEVER } from '../people/people.ts';

export const Moment = Type.Number();

/** JSON has no infinity. */
export const MaybeNever = nullable(Moment);

export const Metres = Type.Tuple([Type.Number(), Type.Number()]);

/** Where a stream of chance stands. */
export const ChanceState = Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), Type.Integer()]);

export const FloorShape = inline({
  building: Type.String(),
  floor: nullable(Type.String()),
  heightM: Type.Number(),
});
export type FloorShape = Static<typeof FloorShape>;

export const keptInstant = (at: number): number | null => (at === NEVER ? null : at);

/** Due instants are postponed by the downtime, in which people stood still. */
export const resumedInstant = (at: number | null, gapMs: number): number => (at === null ? NEVER : at + gapMs);
