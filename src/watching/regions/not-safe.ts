/** The workers who were not safe when the last muster of a site ended, with reason and last place. [decisions 4, After a muster] */

import { Html, html } from '../../base/text/html.ts';
import { musterTerm, PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import type { Muster } from '../../contract/resources.ts';
import { codeOf } from '../state/events.ts';
import { type NotSafeRow, notSafeRows } from '../state/not-safe.ts';
import { capital } from '../state/words.ts';
import { many, momentOf, type PanelReader, type PanelScene } from './scene.ts';

/** Maximum number of rows; the report of the muster has all of them. */
const MOST = 100;

/** Empty while a muster is active, or if all people were safe. `musterId`: only for that muster. */
export function notSafeView(scene: PanelScene, musterId?: string): Html {
  const { muster, world, site, reader } = scene;
  const rows = muster === null || (musterId !== undefined && musterId !== muster.id) ? [] : notSafeRows(world, site);
  if (muster === null || rows.length === 0) return new Html('');
  const rest = rows.length - MOST;
  const more = rest > 0 ? html`<p>And ${rest} more.</p>` : new Html('');
  return html`<h2>${many(rows.length, 'person was', 'people were')} not safe at the end</h2><p class="dim">${aboutMuster(muster, reader.links, musterId === undefined)} The list stays until the next muster starts.${reader.cli === '' ? null : html` <a href="${reader.links}/musters/${muster.id}/report">Report</a>`}</p><div class="scroll list"><table class="people unsafe"><thead><tr><th scope="col">What</th><th scope="col">Who</th><th scope="col">Code</th><th scope="col">Last place</th></tr></thead><tbody>${rows
    .slice(0, MOST)
    .map((row) => rowView(row, reader))}</tbody></table></div>${more}`;
}

function aboutMuster({ id, kind, status, phase, ended_at }: Muster, links: string, isLinked: boolean): Html {
  const name = html`${kind} muster`;
  return html`The ${isLinked ? html`<a href="${links}/musters/${id}">${name}</a>` : name}, ${musterTerm({ status, phase }).word} at ${momentOf(ended_at)}.`;
}

function rowView({ worker, workerId, rank, word, placeWords }: NotSafeRow, reader: PanelReader): Html {
  const code = worker === null ? workerId.slice(0, 8) : codeOf(worker);
  const name =
    worker === null
      ? html`no longer listed`
      : html`<a class="name" href="${reader.links}/people/${worker.id}" title="${worker.name ?? code}">${worker.name ?? code}</a>`;
  return html`<tr data-key="not-safe ${workerId}" class="${rank}"><td class="what"><span class="fare ${rank}"><i aria-hidden="true">${PERSON_TERMS[rank].glyph}</i> ${capital(word)}</span></td><th scope="row">${name}</th><td class="code">${code}</td><td data-place>${placeWords}</td></tr>`;
}
