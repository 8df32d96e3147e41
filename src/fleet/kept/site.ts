/** What everybody on a site knows of its musters, as a fleet keeps it. */
import { type Static, Type } from 'typebox';
import { inline, nullable } from '../../contract/shapes.ts';
import { MusterNotice } from '../../contract/watch.ts';

export const KeptSite = inline({
  /** The last that people took up, also of a muster that is over; null: there was none. */
  notice: nullable(MusterNotice),
  /** Musters that are past. */
  ended: Type.Array(Type.String()),
  /** What stands on watches' screens, each once. */
  shown: Type.Array(MusterNotice),
});
export type KeptSite = Static<typeof KeptSite>;
