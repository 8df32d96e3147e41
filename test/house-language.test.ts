/** The language of the sources and of the pages: the words of the glossary in comments and names, plain words in texts for users, titles with a subject, and one meaning for one type name. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { hasNoSubject, titlesWithoutSubject } from './titles.ts';

const ROOT = resolve(import.meta.dirname, '..');

/**
 * Words that are never right in this project, and identifiers that have a better name: the automatic part of the glossary. A reader judges the rest.
 * The word for scripted workers in older files is a value of YAML, so comments name it in backticks.
 */
const BANNED: readonly (readonly [phrase: RegExp, write: string])[] = [
  [
    /(?<![A-Za-z])(?:story|stories)(?![a-z])|(?<=[a-z])(?:Story|Stories)(?![a-z])|\b(?:Story|Stories|STORY|STORIES)\b/g,
    'scenario',
  ],
  [/\btales?\b|\bTale\b/g, 'scenario, or GeneratedScenario'],
  [/(?<!`)\bpuppets?\b(?!`)/gi, 'scripted worker'],
  [/\bdeeds?\b|(?<=[a-z])Deeds?(?![a-z])|\bDeed[A-Z]?/g, 'action, act or command'],
  [/\bcures?\b|(?<=[a-z])Cures?(?![a-z])|\bCures?\b|_CURE\b/g, 'fix'],
  [/\bladders?\b|(?<=[a-z])Ladder\b|\bLadder/g, 'retry schedule'],
  [/\bluck\b|(?<=[a-z])Luck\b|\bLuck/g, 'random values, or draws'],
  [/\bstands in\b/gi, 'is in, or replaces'],
  [/\b(?:Eye|House|Plight|DeviceHand|Shelf|Shelved|CheckSight|SharedTurns)\b/g, 'the name of the glossary'],
];

/** Published or stored names that keep the older word: fields of JSON that is printed or served, and of the fleet's stored documents. */
const KEPT: readonly (readonly [file: RegExp, name: RegExp])[] = [
  [
    /^(?:src\/(?:contract\/resources\/logs|service\/(?:domain\/deliveries\/explained|panel\/pages\/delivery|api\/answers\/problem-pages)|proving\/certify\/reports|cli\/deliveries\/explain-delivery|cli\/doctor\/doctor|cli\/control\/strictness|library\/(?:types|errors))\.ts$|test\/)/,
    /\bcure\b/g,
  ],
  [
    /^(?:src\/(?:cli\/(?:explore\/explore|run\/mutate)|proving\/explore\/(?:search|breaks|findings))\.ts|test\/(?:proving\/explore|product)\/[\w.-]+\.ts|bench\/(?:mutate|control-rooms\/(?:measure|set|stories))\.ts)$/,
    /\bstor(?:y|ies)\b/g,
  ],
  [/^(?:src|test)\/fleet\//, /\bdeeds\b/g],
];

/**
 * Words of speech without a fixed meaning, whole or as a part of a name in camelCase: `asked`, `saidBy`, `isHeard`, `hear`,
 * `rehearsal`. Prose may use the verbs.
 */
const VAGUE_NAMES =
  /^(?:asked|said|heard|told|hears?|rehears(?:e|ed|als?))(?![a-z])|(?:Asked|Said|Heard|Told|Hears?|Rehears(?:e|ed|als?))(?![a-z])|(?:^|_)(?:ASKED|SAID|HEARD|TOLD)(?:_|$)/;

/** Names of stored documents, and of fields that are sent, which keep such a word. */
const KEPT_NAMES: readonly (readonly [file: RegExp, name: string, reason: string])[] = [
  [/^(?:src|test)\/service\/(?:domain|store)\//, 'heard', 'the kind under which stores keep accepted uplinks'],
  [/^(?:src|test)\/service\/domain\//, 'missingTold', 'a field of stored musters'],
  [/^(?:src|test)\/fleet\//, 'told', 'a field of the files of a fleet'],
  [/^(?:src|test)\/service\/panel\//, 'said', 'the field of the panel’s answer to its own script'],
];

/**
 * Phrases that strangers could not read at first sight, in what users read: help, messages and pages. Only phrases with
 * no right use here; a reader judges the rest.
 */
const UNCLEAR: readonly (readonly [phrase: RegExp, write: string])[] = [
  [/\banew\b/g, 'again, or new'],
  [/\bin the place of\b/gi, 'instead of, or replaces'],
  [/\bleft to (?:you|your)\b/gi, 'not emulated, or for your own'],
  [/\b(?:stands?|stood) (?:beside|behind|in it)\b/gi, 'belongs next to, follows, or is in'],
  [
    /\b(?:is|are) to (?:be|get|end|wait|begin|happen|repeat|run|use|complete|give|judge)\b/gi,
    'must, should, or an imperative',
  ],
  [/\bmend(?:s|ed|ing)?\b(?!-files|\/)/gi, 'correct'],
  [/\bfollows? from it\b/gi, 'is determined by'],
  [/\b(?:says?|said) (?:goodbye|two things|nothing)\b/gi, 'disconnects, contradict, or has no effect'],
  [/\b(?:gave|given?|gives) (?:it|them|this one|the event) up\b/gi, 'removed, or is lost'],
  [/\bgo(?:es)? on (?:with|serving|saying)\b/gi, 'continue, or keep'],
  [/\bput (?:it|them|the (?:file|key|data folder)) back\b/gi, 'restore'],
  [/\bin vain\b/gi, 'without success'],
  [/\bturned away\b/gi, 'refused'],
  [/\bfor want of\b(?! it)/gi, 'because ... is missing'],
  [/\btruly\b/gi, 'really, or by ground truth'],
  [/\bso many\b|\bso long\b/gi, 'the number, or the duration'],
  [
    /\b(?:command|sandbox|service|watch|broker|receiver|node|dashboard)s? (?:hears?|believes?|wants?|speaks? of)\b/gi,
    'receives, assumes, or requires',
  ],
  [/\ba line each\b|\bone fact a line\b/gi, 'one per line'],
];

/** A resource of the API and the stored document that it is a view of; a file that needs both imports one under another name. */
const RESOURCES = ['Alert', 'Muster', 'Site', 'Zone', 'Worker', 'Device'];

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === 'node_modules' || name === 'mutation' ? [] : filesUnder(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

const files = ['src', 'test', 'bench']
  .flatMap((folder) => filesUnder(join(ROOT, folder)))
  // Generated from descriptions of the contract, which are texts for users.
  .filter((path) => path !== import.meta.filename && !path.endsWith('src/library/contract-types.ts'))
  .map((path) => ({ name: relative(ROOT, path), text: readFileSync(path, 'utf8') }));

/** The text with its strings emptied: names and comments are left, on the lines on which they stand. */
const withoutStrings = (text: string): string =>
  text.replace(
    /(\/\*[\s\S]*?\*\/|\/\/.*$)|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/gm,
    (whole, comment: string | undefined) => comment ?? whole.replace(/[^\n]/g, ' '),
  );

/** The text with its strings, comments and regular expressions emptied: names are left, on their lines. */
const namesOf = (text: string): string =>
  text.replace(
    /\/\*[\s\S]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/gm,
    (whole) => whole.replace(/[^\n]/g, ' '),
  );

/** What these phrases find in a text, line by line. A line that no phrase matches is looked through once, not once for each phrase. */
function phrasesIn(
  phrases: readonly (readonly [phrase: RegExp, write: string])[],
  name: string,
  text: string,
): string[] {
  const any = ['g', 'gi'].flatMap((flags) => {
    const sources = phrases.flatMap(([phrase]) => (phrase.flags === flags ? [phrase.source] : []));
    return sources.length === 0 ? [] : [new RegExp(sources.join('|'), flags.slice(1))];
  });
  return text
    .split('\n')
    .flatMap((line, i) =>
      /\S/.test(line) && any.some((one) => one.test(line))
        ? phrases.flatMap(([phrase, write]) =>
            [...line.matchAll(phrase)].map(([words]) => `${name}:${i + 1} "${words}": write ${write}`),
          )
        : [],
    );
}

test('comments and names use the words of the field', () => {
  const withoutKept = (name: string, text: string) =>
    KEPT.filter(([file]) => file.test(name)).reduce((rest, [, kept]) => rest.replace(kept, ''), text);
  const found = files.flatMap(({ name, text }) => phrasesIn(BANNED, name, withoutKept(name, withoutStrings(text))));
  expect(found).toEqual([]);
});

/** The strings of a text, on their lines. */
const stringsOf = (text: string): string =>
  text.replace(
    /(\/\*[\s\S]*?\*\/|\/\/.*$)|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\[\s\S])*)`|[^\n'"`/]+|[/'"`]/gm,
    (whole, comment?: string, ...strings: unknown[]) =>
      comment === undefined && strings.slice(0, 3).some((one) => one !== undefined)
        ? whole
        : whole.replace(/[^\n]/g, ' '),
  );

/** A page without its blocks of code and generated comments. */
const proseOf = (text: string): string =>
  text.replace(/^```[\s\S]*?^```|<!--[\s\S]*?-->|`[^`\n]*`/gm, (whole) => whole.replace(/[^\n]/g, ' '));

const pagesUnder = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === 'node_modules' ? [] : pagesUnder(path);
    return name.endsWith('.md') ? [path] : [];
  });

test('help, messages and pages say it in plain words', () => {
  const pages = ['docs', 'examples', 'deploy'].flatMap((folder) => pagesUnder(join(ROOT, folder)));
  const roots = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((name) => join(ROOT, name));
  const texts = [
    ...files.filter(({ name }) => name.startsWith('src/')).map(({ name, text }) => ({ name, text: stringsOf(text) })),
    ...[...pages, ...roots].map((path) => ({ name: relative(ROOT, path), text: proseOf(readFileSync(path, 'utf8')) })),
  ];
  const found = texts.flatMap(({ name, text }) => phrasesIn(UNCLEAR, name, text));
  expect(found).toEqual([]);
});

test('names say what they name, and not that it was asked, said, heard or told', () => {
  const isKept = (file: string, word: string) => KEPT_NAMES.some(([files, name]) => name === word && files.test(file));
  const found = files
    .filter(({ name }) => /^(?:src|test|bench)\//.test(name))
    .flatMap(({ name, text }) =>
      namesOf(text)
        .split('\n')
        .flatMap((line, i) =>
          [...line.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(([word]) =>
            VAGUE_NAMES.test(word) && !isKept(name, word)
              ? [`${name}:${i + 1} ${word}: write the noun of what it is`]
              : [],
          ),
        ),
    );
  expect(found).toEqual([]);
});

test('a title of a test begins with its subject, as it is printed', () => {
  const found = files
    .filter(({ name }) => /\.test\.tsx?$/.test(name))
    .flatMap(({ name, text }) => titlesWithoutSubject(text).map((title) => `${name}: "${title}"`));
  expect(found).toEqual([]);
  // A title of a table is known when it is printed: test/every-file.ts judges it there.
  const source =
    "test('that ends', () => {});\ntest.each(ROWS)(\n  'where it is %s',\n  check);\ntest('a wherry', () => {});";
  expect(titlesWithoutSubject(source)).toEqual(['that ends', 'where it is %s']);
  expect(['Who leaves', 'whoever leaves', 'a client that leaves'].map(hasNoSubject)).toEqual([true, false, false]);
});

test('a type name has one meaning in the whole project', () => {
  const places = new Map<string, string[]>();
  // The package declares its public names anew, without the sources behind them.
  for (const { name, text } of files.filter(({ name }) =>
    /^src\/(?!library\/(?:(?:option-)?types|credentials)\.ts)/.test(name),
  ))
    for (const [, type] of text.matchAll(/^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|type) (\w+)/gm))
      places.set(type as string, [...new Set([...(places.get(type as string) ?? []), name])]);
  const doubled = [...places].filter(([type, names]) => names.length > 1 && !RESOURCES.includes(type));
  expect(doubled.map(([type, names]) => `${type}: ${names.join(', ')}`)).toEqual([]);
});
