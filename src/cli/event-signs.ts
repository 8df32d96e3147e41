/** The signs of an event in the lines of `up` and `listen`. */
import { hasGlyphs } from '../base/text/colour-depth.ts';
import type { Event } from '../contract/events.ts';
import { ALERT_TERMS, musterTerm, PERSON_TERMS, SEVERITY_TERMS, type Term } from '../contract/resources/vocabulary.ts';
import { isHelperAlert } from '../watching/state/people.ts';
import { colourOf } from './output.ts';

const WIDTH = 4;

/**
 * Severity and type of the alert, or the phase of the muster, as 4 cells before the text that names it. Empty unless the
 * stream is a terminal: lines in a pipe are equal on all machines.
 */
export function eventSigns({ data }: Event, stream: { readonly isTTY?: boolean }): string {
  if (stream.isTTY !== true) return '';
  const [first, ...others] = termsOf(data);
  const kind = hasGlyphs(process.env) ? 'glyph' : 'ascii';
  const signs = [first, ...others].map((term) => term[kind]).join(' ');
  return colourOf(stream)(first.token, signs.padEnd(WIDTH));
}

function termsOf(data: Event['data']): readonly [Term, ...Term[]] {
  if ('muster' in data) return [musterTerm(data.muster)];
  const { alert } = data;
  return isHelperAlert(alert) ? [PERSON_TERMS.helping] : [SEVERITY_TERMS[alert.severity], ALERT_TERMS[alert.type]];
}
