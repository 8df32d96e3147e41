/** A table of the report; its head repeats on each printed page. */
import { type Html, html } from '../../base/html.ts';

export interface Column {
  readonly head: string;
  /** Right-aligned. */
  readonly figure?: true;
}

export type TableCell = string | number | null | Html;

/** A wide table scrolls by itself, and can be scrolled by keyboard. */
export function table(columns: readonly Column[], rows: readonly (readonly TableCell[])[], caption?: string): Html {
  const heads = columns.map(({ head, figure }) =>
    figure ? html`<th scope="col" class="n">${head}</th>` : html`<th scope="col">${head}</th>`,
  );
  const cells = (row: readonly TableCell[]): Html[] =>
    row.map((cell, place) => (columns[place]?.figure ? html`<td class="n">${cell}</td>` : html`<td>${cell}</td>`));
  return html`<div class="wide" tabindex="0"><table>${caption === undefined ? null : html`<caption>${caption}</caption>`}<thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table></div>`;
}
