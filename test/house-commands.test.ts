/** Every command and flag that a message, a help text or a document names exists. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, expect, test } from 'vitest';
import { everyCommand } from '../src/cli/commands.ts';
import { ACTION_NAMES, type ActionName, actionBody } from '../src/contract/actions.ts';

const ROOT = resolve(import.meta.dirname, '..');

interface NamedText {
  readonly where: string;
  readonly text: string;
}

interface Invocation {
  readonly where: string;
  readonly command: string;
  readonly words: readonly string[];
}

let commands: ReadonlyMap<string, Command>;
beforeAll(async () => {
  commands = new Map((await everyCommand()).map((command) => [command.name(), command]));
});

const filesUnder = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesUnder(join(path, name))) : [path];

/** Code spans, and the lines of code blocks. */
function codeOf(markdown: string): string[] {
  const blocks = markdown.match(/^```[\s\S]*?^```/gm) ?? [];
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '');
  return [
    ...blocks.flatMap((block) => block.split('\n')),
    ...[...prose.matchAll(/`([^`\n]+)`/g)].map((one) => one[1] ?? ''),
  ];
}

/** Lines of the sources that are no comments. */
const messagesOf = (source: string): string[] => source.split('\n').filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line));

/** A command line in the sources begins with this interpolation, which is the form that works where it is shown. */
const HELPER = /\$\{(?:CLI|(?:looking\.)?reader\.cli)\}/g;

function texts(): NamedText[] {
  const documents = ['README.md', 'SKILL.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)]
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => codeOf(readFileSync(join(ROOT, file), 'utf8')).map((text) => ({ where: file, text })));
  const sources = filesUnder(join(ROOT, 'src'))
    // Style sheets have variables that begin with --.
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('style.ts'))
    .flatMap((file) =>
      messagesOf(readFileSync(file, 'utf8')).map((text) => ({
        where: relative(ROOT, file),
        text: text.replace(HELPER, 'sandbox'),
      })),
    );
  return [...documents, ...sources];
}

/** `sandbox WORD ...` where a command line stands: at the start of a text, or behind a quote, a colon, a bracket. */
const INVOKED = /(?:^\s*|[`'"(>$]\s?|: |\bnpx |&& |\bwith )(?:muster-)?sandbox ([a-z][a-z-]*)([^`'"\n;|&)]*)/g;

/** After these words "sandbox" is the noun. */
const NOUN =
  /^(needs|is|are|itself|that|at|of|elsewhere|sees|file|forgets|goes|owns|has|on|in|and|or|was|can|cannot|restarts|truth|muster-sandbox)$/;

const invocations = (): Invocation[] =>
  texts().flatMap(({ where, text }) =>
    [...text.matchAll(INVOKED)]
      .map(([, command = '', rest = '']) => ({
        where,
        command,
        words: rest.split(/,| and | for |sandbox/)[0]?.split(/\s+/) ?? [],
      }))
      .filter(({ command }) => !NOUN.test(command)),
  );

test('commands', () => {
  const found = invocations();
  expect(found.length).toBeGreaterThan(150);
  const unknown = found.filter(({ command }) => !commands.has(command) && command !== 'help');
  expect(unknown.map(({ where, command }) => `${where}: sandbox ${command}`)).toEqual([]);
});

test('flags of the command that stands before them', () => {
  const found = invocations().flatMap(({ where, command, words }) => {
    // What follows -- is another program's.
    const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
    return own.flatMap((word) => (/^\[?--[a-z]/.test(word) ? [{ where, command, own, flag: flagIn(word) }] : []));
  });
  expect(found.length).toBeGreaterThan(80);
  const unknown = found.filter(({ command, own, flag }) => !flagsOf(command, own).includes(flag));
  expect(unknown.map(({ where, command, flag }) => `${where}: sandbox ${command} ${flag}`)).toEqual([]);
});

/** Flags of programs that are not ours, and a placeholder. */
const OTHERS = new Set([
  '--omit',
  '--include',
  '--ignore-scripts',
  '--save-dev',
  '--fail-with-body',
  '--no-wait',
  '--brief',
  '--cacert',
  '--cafile',
  '--import',
  '--name',
  '--write',
  '--heap-growing-percent',
  '--expose-gc',
  '--whole',
  '--no-allocation-site-pretenuring',
  '--changed',
  '--data-binary',
]);

test('flags that stand alone in a sentence', () => {
  const all = new Set([...commands.keys()].flatMap((name) => flagsOf(name, [])));
  const unknown = texts().flatMap(({ where, text }) =>
    [...text.matchAll(/(?<![\w-]|var\()--[a-z][a-z-]+(?![\w-]*[({:])/g)]
      .map(([flag]) => flag)
      .filter((flag) => !all.has(flag) && !OTHERS.has(flag) && !isField(flag))
      .map((flag) => `${where}: ${flag}`),
  );
  expect([...new Set(unknown)]).toEqual([]);
});

test('no help speaks of a command or flag that is not there yet', () => {
  const later = [...commands.values()].flatMap((command) =>
    [command.description(), ...command.options.map(({ flags, description }) => `${flags} ${description}`)].filter(
      (text) => /not (available )?yet/.test(text),
    ),
  );
  expect(later).toEqual([]);
});

const flagIn = (word: string): string => /--[a-z][a-z-]*/.exec(word)?.[0] ?? '';

function flagsOf(name: string, words: readonly string[]): string[] {
  const flags = commands.get(name)?.options.flatMap(({ long, short }) => [long ?? '', short ?? '']) ?? [];
  const action = words.find((word) => (ACTION_NAMES as readonly string[]).includes(word));
  const ofHelp = name === 'help' ? ['--all', '--json'] : [];
  return [...flags, ...ofHelp, '--help', '--version', ...(action === undefined ? [] : fieldsOf(action as ActionName))];
}

const fieldsOf = (action: ActionName): string[] =>
  Object.keys(actionBody(action).properties).map((field) => `--${field.replaceAll('_', '-')}`);

const isField = (flag: string): boolean => ACTION_NAMES.some((action) => fieldsOf(action).includes(flag));

/**
 * Sources that may write `sandbox COMMAND` themselves, each with its reason. They name a command; they print no line to be
 * typed.
 */
const NAMES_ONLY: readonly (readonly [RegExp, string])[] = [
  [
    /^src\/service\/api\/(openapi|asyncapi|documents|routes)\b/,
    'published documents have the same bytes wherever they are served',
  ],
  [
    /^src\/scenario\/language\/(sections|head|modifiers)\.ts$/,
    'the schema file for editors has the same bytes everywhere',
  ],
  [/^src\/(service\/domain|contract)\//, 'what the API answers does not depend on how the sandbox was started'],
  [/^src\/dashboard\/terminal\/recording\.ts$/, 'the title of a recording'],
  [/^src\/service\/store\/folder\/snapshot-file\.ts$/, 'the name of a file format'],
  [/^src\/proving\/certify\/reports\.ts$/, 'the name of a test suite'],
  [/^src\/cli\/main\.ts$/, 'the command of a new user, which is npx muster-sandbox everywhere'],
  [/^src\/sandbox\/options\/table\.ts$/, 'the comments of published types have the same bytes everywhere'],
];

test('every command line that a message, a help text or a page prints comes from the one helper', () => {
  const named = [...commands.keys(), 'help', 'version'].join('|');
  const literal = new RegExp(`(?<![\\w/])(?:muster-)?sandbox (?:${named})(?![\\w-])`);
  const found = filesUnder(join(ROOT, 'src'))
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      messagesOf(readFileSync(file, 'utf8'))
        // A comment behind the code is not printed.
        .filter((line) => literal.test(line.replace(/\s\/\/ .*$|\/\*\*.*\*\//, '')))
        .map((line) => `${relative(ROOT, file)}: ${line.trim()}`),
    );
  const isName = (text: string) => NAMES_ONLY.some(([file]) => file.test(text.slice(0, text.indexOf(':'))));
  expect(found.filter((text) => !isName(text))).toEqual([]);
  // An exception that nothing needs any more is removed.
  expect(
    NAMES_ONLY.filter(([file]) => !found.some((text) => file.test(text.slice(0, text.indexOf(':'))))).map(String),
  ).toEqual([]);
});

/** Parts of a printed command that are words of our own: names of commands, actions, flags and constants. */
const OWN_WORDS: readonly string[] = [
  ...['LOG_FILE', 'DEFAULT_RUNS', 'SCENARIOS_FOLDER', 'action', 'verb', 'word', 'use.example', "flags.join(' ')"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a part of a template.
  "command in COMMANDS ? `${command} ` : ''",
  ...["fields.length === 0 ? '' : ' [fields]'", 'event_id'],
  // dataDirWords quotes it.
  'place',
];

/** The interpolations of a template from one place to the end of its line, or of the template. */
function interpolated(source: string, from: number): string[] {
  const found: string[] = [];
  for (let at = from; at < source.length && !'`\n<("\\'.includes(source[at] ?? ''); at++) {
    if (!source.startsWith('${', at)) continue;
    let end = at + 2;
    for (let depth = 1; depth > 0; end++) depth += source[end] === '{' ? 1 : source[end] === '}' ? -1 : 0;
    found.push(source.slice(at + 2, end - 1));
    at = end - 1;
  }
  return found;
}

test('a word of the user in a printed command is quoted for a shell, and has no control character', () => {
  const found = filesUnder(join(ROOT, 'src'))
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      return [...source.matchAll(HELPER)].flatMap(({ 0: helper, index }) =>
        interpolated(source, index + helper.length).map((part) => [relative(ROOT, file), part] as const),
      );
    })
    .filter(([, part]) => part !== 'CLI' && !part.startsWith('paint('));
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter(([, part]) => !/\bshellWord\(/.test(part) && !OWN_WORDS.includes(part))).toEqual([]);
  expect(OWN_WORDS.filter((part) => !found.some(([, one]) => one === part))).toEqual([]);
});

test('A line that is printed for the user ends without a line break of its own, which would be shown as an escape', () => {
  const sources = filesUnder(join(ROOT, 'src')).filter((file) => /\.tsx?$/.test(file));
  const broken = sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /\b(?:outLine|talkLine)\(.*\\n[`'"]?\s*\)/.test(line))
      .map((line) => `${relative(ROOT, file)}: ${line.trim()}`),
  );
  expect(broken).toEqual([]);
});
