/** The people of a recorded session by the short names that a draft gives them. */
import type { JsonMap } from '../../contract/schema.ts';
import type { Tape, TapedPerson } from './tape.ts';

/** Below it a charge is worth telling; percent. */
const WORTH_TELLING_PCT = 30;

export class DraftPeople {
  readonly #tape: Tape;
  /** Short name by worker id, of those who have a part. */
  readonly #names = new Map<string, string>();

  constructor(tape: Tape) {
    this.#tape = tape;
  }

  /** Whom an action means by an external id, an id or a serial. */
  find(who: string): TapedPerson | undefined {
    const { people } = this.#tape;
    return (
      people.find(({ serial }) => serial === who) ??
      people.find(({ id, externalId }) => id === who.toLowerCase() || externalId === who)
    );
  }

  /** Whether this worker has a part in the draft already. */
  has(workerId: string): boolean {
    return this.#names.has(workerId);
  }

  /** Their short name, by which they have a part from now on. */
  nameOf({ id, name, externalId }: TapedPerson): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const taken = new Set(this.#names.values());
    const words = [name.split(' ')[0] ?? '', externalId ?? '', `worker-${this.#names.size + 1}`].map(plain);
    let short = words.find((word) => /^[a-z][a-z0-9-]*$/.test(word) && !taken.has(word)) ?? '';
    for (let n = 2; short === ''; n++) if (!taken.has(`${words[0]}-${n}`)) short = `${words[0]}-${n}`;
    this.#names.set(id, short);
    return short;
  }

  nameOfId(workerId: string): string | undefined {
    return this.#names.get(workerId);
  }

  get playing(): TapedPerson[] {
    return this.#tape.people.filter(({ id }) => this.#names.has(id));
  }

  /** What stands under `workers:`; with several sites each names its own. */
  section(siteNameOf: (siteId: string) => string | null): JsonMap {
    const entries = this.playing.map((person): [string, JsonMap] => {
      const { name, externalId, contractor, role, at, worn, batteryPct, pace } = person;
      const site = siteNameOf(person.siteId);
      const section = {
        name,
        ...(externalId === null ? {} : { external_id: externalId }),
        ...(contractor === null ? {} : { contractor }),
        ...(role === null ? {} : { role }),
        ...(site === null ? {} : { site }),
        at: at.map((metres) => Math.round(metres * 10) / 10),
        ...(worn === false ? { worn: 'off' } : {}),
        ...(batteryPct === null || batteryPct >= WORTH_TELLING_PCT ? {} : { battery: Math.round(batteryPct) }),
        ...(pace === null ? {} : { pace: Math.round(pace * 100) / 100 }),
      };
      return [this.#names.get(person.id) as string, section];
    });
    return Object.fromEntries(entries);
  }
}

const plain = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '');
