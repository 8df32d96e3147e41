/** The words of the API: every value of its enumerations, every problem code and every code of an OAuth error, each with its meaning and where to read more. */
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
import { withoutCitations } from './sentences.ts';

/** One meaning of a word; `earthquake` has two, as an alert type and as the kind of a muster. */
export interface ContractWord {
  readonly word: string;
  /** The enumeration that has it, such as `AlertType`; for an enumeration itself, its own name. */
  readonly of: string;
  readonly help: string;
  /** All values of the enumeration. Empty for the code of a problem or of an OAuth error. */
  readonly values: readonly string[];
  /** Further facts by name, such as the schema of the details of an alert. */
  readonly facts: Readonly<Record<string, string>>;
  /** Path of the page of a running sandbox that describes it. */
  readonly page: string;
}

interface Enumeration {
  readonly title: string;
  readonly description: string;
  readonly enum: readonly string[];
}

const isEnumeration = (value: unknown): value is Enumeration =>
  typeof value === 'object' && value !== null && 'enum' in value && 'title' in value;

/** `EventSelector` repeats the event types and their groups. */
const ENUMERATIONS: readonly Enumeration[] = (Object.values(enumerations) as readonly unknown[])
  .filter((value) => value !== enumerations.EventSelector)
  .filter(isEnumeration);

/** Every value, every enumeration by its name, every problem code, and every code of an OAuth error. */
export const CONTRACT_WORDS: readonly ContractWord[] = [
  ...ENUMERATIONS.flatMap((one) => one.enum.map((word) => valueWord(word, one))),
  ...ENUMERATIONS.map((one) => ({ ...valueWord(one.title, one), facts: {} })),
  ...PROBLEM_CODES.map(problemWord),
  ...OAUTH_ERROR_CODES.map(oauthWord),
];

function valueWord(word: string, { title, description, enum: values }: Enumeration): ContractWord {
  const help = withoutCitations(description);
  return { word, of: title, help, values, facts: factsOf(word, title), page: `/docs#schema-${title}` };
}

function factsOf(word: string, title: string): ContractWord['facts'] {
  if (title !== 'AlertType') return {};
  const [details] = typesByDetails().find(([, types]) => (types as readonly string[]).includes(word)) ?? [];
  return details === undefined ? {} : { details: (details as { title?: string }).title ?? '' };
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
    page: '/docs#schema-OAuthError',
    facts: { status: `${statuses.join(', ')} of POST /v1/oauth/token`, fix },
  };
}

/** Equal up to case, and up to hyphens and spaces for underscores: `alert type` and `alert-type` mean `AlertType`. */
const plain = (word: string): string => word.toLowerCase().replace(/[\s_-]/g, '');

/** Every meaning of a word; empty where the API has no such word. */
export const contractWordsOf = (word: string): readonly ContractWord[] =>
  CONTRACT_WORDS.filter((one) => plain(one.word) === plain(word));

/** Words that are common in prose find too much. */
const NAMED_EXACTLY = ['AlertType', 'EventType', 'Scope', 'ProblemCode'];

/** The open points of the specification that name the word. */
export const gapsAbout = ({ word, of }: ContractWord): readonly Gap[] =>
  NAMED_EXACTLY.includes(of) && word !== of
    ? GAPS.filter(({ question, here }) =>
        new RegExp(`(?<![\\w.])${word.replace(/[.*:]/g, '\\$&')}(?![\\w:])`).test(`${question} ${here}`),
      )
    : [];
