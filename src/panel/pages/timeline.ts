/** The timeline of an alert or muster; the API does not have it. [spec 3, decisions 5] */
import { type Html, html } from '../../base/html.ts';
import { formatInstant } from '../../base/instants.ts';
import type { TimelineEntry } from '../../domain/world/documents.ts';
import { momentOf } from '../view/words.ts';

export function timelineView(timeline: readonly TimelineEntry[]): Html {
  const lines = timeline.map(({ at, what, by, reason, note }) => {
    const said = [reason === null ? null : `Reason: ${reason}`, note === null ? null : `Note: ${note}`].filter(
      (one) => one !== null,
    );
    return html`<li>${momentOf(formatInstant(at))} <b>${what}</b>${by === null ? '' : ` by ${by}`}${said.map((one) => html`<p>${one}</p>`)}</li>`;
  });
  return html`<ol class="timeline">${lines}</ol>`;
}
