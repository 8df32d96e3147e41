/** Assigns short names to the people of a recorded session. */
import type { JsonMap } from '../../contract/schema.ts';
import type { Tape, TapedPerson } from './tape.ts';

/** Battery charges below this percentage are written. */
const WRITTEN_BELOW_PCT = 30;

export class DraftPeople {
  readonly #tape: Tape;
  /** Short names by worker id, of the people in the draft. */
  readonly #names = new Map<string, string>();

  constructor(tape: Tape) {
    this.#tape = tape;
  }

  /** The person behind an external id, an id or a serial. */
  find(who: string): TapedPerson | undefined {
    const { people } = this.#tape;
    return (
      people.find(({ serial }) => serial === who) ??
      people.find(({ id, externalId }) => id === who.toLowerCase() || externalId === who)
    );
  }

  /** Whether this worker is in the draft already. */
  has(workerId: string): boolean {
    return this.#names.has(workerId);
  }

  /** The short name; adds the person to the draft. */
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

  /** The section `workers`; with several sites each person has a `site`. */
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
        ...(batteryPct === null || batteryPct >= WRITTEN_BELOW_PCT ? {} : { battery: Math.round(batteryPct) }),
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
