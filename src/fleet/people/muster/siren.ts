/** The siren of a site: the first watch that receives a muster notice sounds it for everyone; stale notices are ignored. [watch-protocol `all/muster`] */
import type { Instant } from '../../../base/time/clock.ts';
import type { MusterNotice } from '../../../contract/watch.ts';
import type { KeptSite } from '../../kept/documents.ts';

export interface News {
  readonly notice: MusterNotice;
  readonly at: Instant;
  /** The previous notice of the same muster; null if there was none. */
  readonly before: MusterNotice | null;
}

export class Siren {
  #known: MusterNotice | null = null;
  #news: News[] = [];
  /** Musters that have ended. A late notice about one of them is ignored. */
  readonly #ended: string[] = [];

  /** A watch has received the notice. */
  onMuster(notice: MusterNotice, at: Instant): void {
    const known = this.#known;
    if (this.#ended.includes(notice.muster_id)) return;
    const before = known?.muster_id === notice.muster_id ? known : null;
    if (before === null ? notice.status !== 'active' : !isNewer(notice, before)) return;
    this.#known = notice;
    if (notice.status !== 'active') {
      this.#ended.push(notice.muster_id);
      if (this.#ended.length > MOST_ENDED) this.#ended.shift();
    }
    this.#news.push({ notice, at, before });
  }

  /** The news since the last call, the oldest first. */
  take(): readonly News[] {
    if (this.#news.length === 0) return NOTHING;
    const news = this.#news;
    this.#news = [];
    return news;
  }

  /** The last known notice, and the ended musters; notices not yet taken are dropped, since they will arrive again. */
  kept(): Pick<KeptSite, 'told' | 'ended'> {
    const [first] = this.#news;
    const notice = first === undefined ? this.#known : first.before;
    return { told: notice, ended: [...this.#ended] };
  }

  resume({ told: notice, ended }: Pick<KeptSite, 'told' | 'ended'>): void {
    this.#known = notice;
    this.#ended.push(...ended);
  }

  /** True while a notice waits to be taken. */
  get sounds(): boolean {
    return this.#news.length > 0;
  }
}

const NOTHING: readonly News[] = [];
const MOST_ENDED = 16;

// Phases and revisions only advance.
function isNewer(notice: MusterNotice, known: MusterNotice): boolean {
  if (notice.revision !== known.revision) return notice.revision > known.revision;
  return notice.status !== known.status || (notice.phase !== known.phase && notice.phase === 'inspecting');
}
