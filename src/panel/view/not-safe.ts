/** The workers who were not safe when the last muster of a site ended, with reason and last place. [decisions 4, After a muster] */
import { Html, html } from '../../base/html.ts';
import type { Muster } from '../../contract/resources.ts';
import type { StreamNotSafe, StreamWorker } from '../../contract/stream.ts';
import { codeOf } from '../../watching/events.ts';
import type { StatusRank } from '../../watching/people.ts';
import { lastPlaceWords } from '../../watching/places.ts';
import { plainWords, reasonWord, STATUS_GLYPH } from '../../watching/words.ts';
import { many, momentOf, type PanelLook, type PanelScene, RANKS } from './scene.ts';

/** Rows; the report has all of them. */
const MOST = 100;

/** Empty while a muster is active, and where everybody was safe. `musterId`: only of that muster. */
export function notSafeView(scene: PanelScene, musterId?: string): Html {
  const { muster, world, site } = scene;
  const list = muster === null ? [] : notSafeOf(scene, site.id).filter(({ muster_id }) => muster_id === muster.id);
  if (muster === null || list.length === 0 || (musterId !== undefined && musterId !== muster.id)) return new Html('');
  const rows = list
    .map((line) => ({ line, worker: world.workers.get(line.worker_id), rank: rankOf(line) }))
    .sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank));
  const rest = rows.length - MOST;
  const more = rest > 0 ? html`<p>And ${rest} more, whom the report lists.</p>` : new Html('');
  return html`<h2>${many(list.length, 'person was', 'people were')} not safe at the end</h2><p class="dim">${aboutMuster(muster, musterId === undefined)} The list stays until the next muster starts. <a href="/panel/musters/${muster.id}/report">Report</a></p><div class="scroll"><table class="people unsafe"><thead><tr><th scope="col">Reason</th><th scope="col">Name</th><th scope="col">Code</th><th scope="col">Last place</th></tr></thead><tbody>${rows
    .slice(0, MOST)
    .map(({ line, worker, rank }) => rowView(scene, line, worker, rank))}</tbody></table></div>${more}`;
}

export const notSafeOf = ({ world }: PanelLook, siteId: string): readonly StreamNotSafe[] =>
  world.notSafe.get(siteId) ?? [];

function aboutMuster({ id, kind, status, ended_at }: Muster, isLinked: boolean): Html {
  const name = html`${kind} muster`;
  return html`The ${isLinked ? html`<a href="/panel/musters/${id}">${name}</a>` : name}, ${status} at ${momentOf(ended_at)}.`;
}

type NotSafeRank = Exclude<StatusRank, 'person' | 'safe'>;

/** A reason that is no status of a headcount is an injury, or a critical alert. An evacuation help may be for another. */
function rankOf({ reason, status }: StreamNotSafe): NotSafeRank {
  if (reason === 'evacuation_help') return 'help';
  return RANKS.some((known) => known === reason) ? status : 'rescue';
}

function rowView({ site }: PanelScene, line: StreamNotSafe, worker: StreamWorker | undefined, rank: NotSafeRank): Html {
  const code = worker === undefined ? line.worker_id.slice(0, 8) : codeOf(worker);
  const name =
    worker === undefined
      ? html`no longer listed`
      : html`<a class="name" href="/panel/people/${worker.id}" title="${worker.name ?? code}">${worker.name ?? code}</a>`;
  return html`<tr data-key="not-safe ${line.worker_id}" class="${rank}"><td><span class="fare ${rank}"><i aria-hidden="true">${STATUS_GLYPH[rank]}</i> ${plainWords(reasonWord(line.reason))}</span></td><th scope="row">${name}</th><td class="code">${code}</td><td data-place>${lastPlaceWords(site, line)}</td></tr>`;
}
