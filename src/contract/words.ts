/** The words of the API: every value of its enumerations, every problem code and every code of an OAuth error, each with its meaning and a link. */
import * as enumerations from './enumerations.ts';
import { GAPS, type Gap } from './gaps.ts';
import {
  OAUTH_ERROR_CODES,
  OAUTH_ERRORS,
  type OAuthErrorCode,
  PROBLEM_CODES,
  PROBLEMS,
  problemSlug,
} from './problems.ts';
import { typesByDetails } from './resources/details.ts';
import {
  ALERT_TERMS,
  CHECK_TERMS,
  MUSTER_TERMS,
  PERSON_TERMS,
  SEVERITY_TERMS,
  type Term,
  WATCH_TERMS,
} from './resources/vocabulary.ts';
import { withoutCitations } from './sentences.ts';

/** One meaning of a word. `earthquake` has two: an alert type, and the kind of a muster. */
export interface ContractWord {
  readonly word: string;
  /** The enumeration that contains the word, such as `AlertType`; for an enumeration itself, its own name. */
  readonly of: string;
  readonly help: string;
  /** All values of the enumeration. Empty for the code of a problem or of an OAuth error. */
  readonly values: readonly string[];
  /** Further facts by name, such as the schema of the details of an alert. */
  readonly facts: Readonly<Record<string, string>>;
  /** The path of the page in a running sandbox that describes the word. */
  readonly page: string;
}

interface Enumeration {
  readonly title: string;
  readonly description: string;
  readonly enum: readonly string[];
}

const isEnumeration = (value: unknown): value is Enumeration =>
  typeof value === 'object' && value !== null && 'enum' in value && 'title' in value;

/** Without `EventSelector`, which repeats the event types and their groups. */
const ENUMERATIONS: readonly Enumeration[] = (Object.values(enumerations) as readonly unknown[])
  .filter((value) => value !== enumerations.EventSelector)
  .filter(isEnumeration);

/** The terms of the values of an enumeration, by its name. */
const TERMS: Readonly<Record<string, Readonly<Record<string, Term>>>> = {
  AlertType: ALERT_TERMS,
  DeviceStatus: WATCH_TERMS,
  MissingStatus: PERSON_TERMS,
  MusterPhase: MUSTER_TERMS,
  MusterStatus: MUSTER_TERMS,
  RunStatus: CHECK_TERMS,
  Severity: SEVERITY_TERMS,
};

/** Every value, every enumeration by its name, every problem code, and every code of an OAuth error. */
export const CONTRACT_WORDS: readonly ContractWord[] = [
  ...ENUMERATIONS.flatMap((one) => one.enum.map((word) => valueWord(word, one))),
  ...ENUMERATIONS.map((one) => ({ ...valueWord(one.title, one), facts: {} })),
  ...typesByDetails().flatMap(([details, types]) => detailWords(details, types)),
  ...PROBLEM_CODES.map(problemWord),
  ...OAUTH_ERROR_CODES.map(oauthWord),
];

function valueWord(word: string, { title, description, enum: values }: Enumeration): ContractWord {
  const help = withoutCitations(description);
  return { word, of: title, help, values, facts: factsOf(word, title), page: pageOf(title) };
}

/** The documents publish the groups of events as a part of the selectors only. */
function pageOf(title: string): string {
  return `/docs/schemas/${title === 'EventGroup' ? 'EventSelector' : title}`;
}

/** `on screens`: the word that the screens and pages have for the code, if it differs. */
function factsOf(word: string, title: string): ContractWord['facts'] {
  const term = TERMS[title]?.[word];
  const named = term === undefined || term.word === word ? [] : [['on screens', term.word] as const];
  return Object.fromEntries([...named, ...Object.entries(detailsOf(word, title))]);
}

function detailsOf(word: string, title: string): ContractWord['facts'] {
  if (title !== 'AlertType') return {};
  const [details] = typesByDetails().find(([, types]) => (types as readonly string[]).includes(word)) ?? [];
  return details === undefined ? {} : { details: `${titleOf(details)}: ${keysOf(details).join(', ')}` };
}

type DetailsVariant = ReturnType<typeof typesByDetails>[number][0];

function titleOf(details: DetailsVariant): string {
  return (details as { title?: string }).title ?? '';
}

function keysOf({ properties }: DetailsVariant): readonly string[] {
  return Object.keys(properties);
}

/** A variant of the details by its name, and each of its keys. */
function detailWords(details: DetailsVariant, types: readonly string[]): ContractWord[] {
  const title = titleOf(details);
  const help = `The details of an alert of type ${types.join(', ')}. ${withoutCitations((details as { description?: string }).description ?? '')}`;
  const facts = { details: keysOf(details).join(', ') };
  const named = { of: title, help, values: [], facts, page: pageOf(title) };
  return [title, ...keysOf(details)].map((word) => ({ ...named, word }));
}

function problemWord(code: (typeof PROBLEM_CODES)[number]): ContractWord {
  const { status, title, explanation, fix } = PROBLEMS[code];
  return {
    word: code,
    of: 'ProblemCode',
    help: explanation,
    values: [],
    page: `/problems/${problemSlug(code)}`,
    facts: { status: `${status} ${title}`, fix: fix },
  };
}

function oauthWord(code: OAuthErrorCode): ContractWord {
  const { statuses, explanation, fix } = OAUTH_ERRORS[code];
  return {
    word: code,
    of: 'OAuthErrorCode',
    help: explanation,
    values: [],
    page: pageOf('OAuthError'),
    facts: { status: `${statuses.join(', ')} of POST /v1/oauth/token`, fix },
  };
}

/** Ignores case, and treats hyphens and spaces like underscores: `alert type` and `alert-type` mean `AlertType`. */
const plain = (word: string): string => word.toLowerCase().replace(/[\s_-]/g, '');

/** Every meaning of a word; empty if the API does not have the word. */
export const contractWordsOf = (word: string): readonly ContractWord[] =>
  CONTRACT_WORDS.filter((one) => plain(one.word) === plain(word));

/** Only the values of these enumerations are searched in the texts, since the other words are common in prose. */
const NAMED_EXACTLY = ['AlertType', 'EventType', 'Scope', 'ProblemCode'];

/** The open points of the specification that mention the word. */
export const gapsAbout = ({ word, of }: ContractWord): readonly Gap[] =>
  NAMED_EXACTLY.includes(of) && word !== of
    ? GAPS.filter(({ question, here }) =>
        new RegExp(`(?<![\\w.])${word.replace(/[.*:]/g, '\\$&')}(?![\\w:])`).test(`${question} ${here}`),
      )
    : [];
