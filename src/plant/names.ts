/** Names of people, from faker's word lists and own random streams: equal for equal seeds in every faker version. */
import { en_AU as english, es as spanish } from '@faker-js/faker';
import type { Stream } from '../base/random/streams.ts';

// Only these word lists are imported by name: they add 25 KB to the bundle, while the whole faker of the two languages
// adds 450 KB. The Australian lists are used for English names, because they are the short ones.
const SPANISH = listsOf(spanish.person);
const ENGLISH = listsOf(english.person);

/** Share of foreign people. */
const FROM_ABROAD = 0.12;

const WOMEN = 0.3;

interface Lists {
  readonly women: readonly string[];
  readonly men: readonly string[];
  readonly families: readonly string[];
}

/** A full name: mostly a Spanish one with both surnames, sometimes an English one. */
export function personName(stream: Stream): string {
  const abroad = stream.chance(FROM_ABROAD);
  const lists = abroad ? ENGLISH : SPANISH;
  const given = stream.pick(stream.chance(WOMEN) ? lists.women : lists.men);
  const family = stream.pick(lists.families);
  return abroad ? `${given} ${family}` : `${given} ${family} ${stream.pick(lists.families)}`;
}

type Person = typeof spanish.person;

function listsOf(person: Person): Lists {
  return {
    women: person?.first_name?.female ?? [],
    men: person?.first_name?.male ?? [],
    families: person?.last_name?.generic ?? [],
  };
}
