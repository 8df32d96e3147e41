/** The language of the house: the field's words in comments and names, and one meaning for one type name. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

/** Phrases of a private idiom, and what to write. Messages to users and names of tests are text, and not looked at. */
const BANNED: readonly (readonly [phrase: RegExp, write: string])[] = [
  [/\b(?:un)?told\b/gi, 'published, emitted, notified, reported, logged or sent'],
  // `missingTold` is a key of stored documents.
  [/(?<!\bmissing)(?<=[a-z])Told\b/g, 'what the thing is'],
  [/\bso (?:many|much|long)\b(?! as)/gi, 'the number with its unit, or "limit of"'],
  [/\bwhoever\b/gi, 'the noun: the client, the viewer, the caller'],
  [/\bsomebody\b/gi, 'a person, a worker, a client'],
  [/\b(?:is|are|was|were) other\b/gi, 'differs'],
  [/\blikewise\b/gi, 'the rule itself'],
  [/\boftener\b/gi, 'more often'],
  [/\bno news\b/gi, 'not announced'],
  [/\bnobody knows\b/gi, 'is unknown'],
  [/\bas ever\b/gi, 'as before'],
  [
    /\b(?:Eye|House|Tale|Plight|Deed|DeviceHand|Shelf|Shelved)\b/g,
    'StreamProjection, RunHost, GeneratedScenario, Incapacitation, DeviceCommand, DeviceDriver, ScenarioCatalog, ScenarioListing',
  ],
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

test('comments and names use the words of the field', () => {
  // Keys of the fleet's stored state keep their names, because data folders on disk contain them.
  const stored = (name: string, text: string) =>
    name.startsWith('src/fleet/')
      ? text.replace(/\.told\b|\btold: |\{ told, |= told;|\btold(?=,? \w*\W*ended)/g, '')
      : text;
  const found = files.flatMap(({ name, text }) =>
    stored(name, withoutStrings(text))
      .split('\n')
      .flatMap((line, i) =>
        BANNED.flatMap(([phrase, write]) =>
          [...line.matchAll(phrase)].map(([words]) => `${name}:${i + 1} "${words}": write ${write}`),
        ),
      ),
  );
  expect(found).toEqual([]);
});

test('a type name has one meaning in the whole house', () => {
  const places = new Map<string, string[]>();
  // The package declares its public names anew, without the house behind them.
  for (const { name, text } of files.filter(({ name }) => /^src\/(?!library\/(?:option-)?types\.ts)/.test(name)))
    for (const [, type] of text.matchAll(/^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|type) (\w+)/gm))
      places.set(type as string, [...new Set([...(places.get(type as string) ?? []), name])]);
  const doubled = [...places].filter(([type, names]) => names.length > 1 && !RESOURCES.includes(type));
  expect(doubled.map(([type, names]) => `${type}: ${names.join(', ')}`)).toEqual([]);
});
