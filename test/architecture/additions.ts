/** Adds a dummy of each kind to a scratch copy of the sources, and collects what the compiler then asks for. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Addition {
  readonly what:
    | 'an alert type'
    | 'an action'
    | 'a watch action'
    | 'a notice'
    | 'a step'
    | 'a condition'
    | 'an option'
    | 'a threshold'
    | 'a field of a stored document'
    | 'a pane';
  /** The name that is added; most of the compiler's messages contain it. */
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly before: string; readonly insert: string }[];
  /** A new file, if it needs one. */
  readonly adds?: { readonly file: string; readonly text: string };
}

export const ADDITIONS: readonly Addition[] = [
  {
    what: 'an alert type',
    name: 'gas_leak',
    edits: [
      { file: 'src/contract/enumerations.ts', before: "  'sos',\n", insert: "  'gas_leak',\n" },
      {
        file: 'src/contract/resources/details.ts',
        before: '  sos: SosDetails,\n',
        insert: '  gas_leak: SosDetails,\n',
      },
    ],
  },
  {
    what: 'an action',
    name: 'dust',
    edits: [
      {
        file: 'src/contract/actions/plant.ts',
        before: '  wind: row({',
        insert:
          "  dust: row({\n    title: 'Raise dust',\n    help: 'Nobody sees far.',\n    example: { site: WORDS.site },\n    gives: [],\n    fields: { site: siteFrom(SiteReference) },\n  }),\n",
      },
    ],
  },
  {
    what: 'a watch action',
    name: 'tap',
    edits: [
      {
        file: 'src/fleet/watch-action.ts',
        before: "  | { readonly do: 'sos';",
        insert: "  | { readonly do: 'tap' }\n",
      },
    ],
  },
  {
    what: 'a notice',
    name: 'kettle-boiled',
    edits: [
      {
        file: 'src/contract/notices.ts',
        before: '  | AttemptNotice\n',
        insert: "  | { readonly kind: 'kettle-boiled'; readonly at: string }\n",
      },
    ],
  },
  {
    what: 'a step',
    name: 'whistle',
    edits: [
      {
        file: 'src/scenario/model/scenario.ts',
        before: "  | { readonly kind: 'mark'",
        insert: "  | { readonly kind: 'whistle'; readonly times: number }\n",
      },
      {
        file: 'src/scenario/language/steps.ts',
        before: "import { WAIT } from './steps/wait.ts';",
        insert: "import { WHISTLE } from './steps/whistle.ts';\n",
      },
      { file: 'src/scenario/language/steps.ts', before: '  MARK,\n', insert: '  WHISTLE,\n' },
    ],
    adds: {
      file: 'src/scenario/language/steps/whistle.ts',
      text: `/** The step \`whistle: 3\`. */
import { times } from '../field.ts';
import { defineStep, FREE } from '../step.ts';

export const WHISTLE = defineStep({
  word: 'whistle',
  group: 'flow',
  help: 'A whistle.',
  example: '3',
  modifiers: [],
  value: times('How often.', 10),
  mutation: { kind: 'none', why: 'Nothing hears it.' },
  permission: FREE,
  read: () => ({ body: { kind: 'whistle', times: 3 }, text: 'whistle', names: null }),
});
`,
    },
  },
  {
    what: 'a condition',
    name: 'weather_report',
    edits: [
      {
        file: 'src/scenario/language/conditions.ts',
        before: "import { WORKER } from './conditions/worker.ts';",
        insert: "import { WEATHER } from './conditions/weather.ts';\n",
      },
      { file: 'src/scenario/language/conditions.ts', before: '    WORKER,\n', insert: '    WEATHER,\n' },
    ],
    adds: {
      file: 'src/scenario/language/conditions/weather.ts',
      text: `/** The condition \`weather_report: storm\`. */
import { defineCondition } from '../condition.ts';
import { text } from '../field.ts';

export const WEATHER = defineCondition({
  word: 'weather_report',
  help: 'The weather now.',
  example: '{weather_report: storm}',
  lasts: true,
  sees: 'outgoing',
  fields: { weather_report: text('the weather') },
  resource: null,
  scopes: [],
  mutation: { isPassing: true },
  read: () => null,
});
`,
    },
  },
  {
    what: 'an option',
    name: 'loudness',
    edits: [
      {
        file: 'src/sandbox/options/table.ts',
        before: "  cors: aText('--cors <origin>'",
        insert:
          "  loudness: aText('--loudness <word>', 'SANDBOX_LOUDNESS', {\n    help: 'how loud',\n    inLibrary: 'How loud.',\n    example: 'low',\n    longest: 9,\n    read: asItIs,\n  }),\n",
      },
    ],
  },
  {
    what: 'a threshold',
    name: 'gasPpm',
    edits: [
      {
        file: 'src/plant/thresholds.ts',
        before: '  readonly heat: HeatThresholds;',
        insert: '  readonly gasPpm: number;\n',
      },
    ],
  },
  {
    what: 'a field of a stored document',
    name: 'nickname',
    edits: [
      {
        file: 'src/service/domain/world/plant.ts',
        before: '  readonly isActive: boolean;\n  readonly deviceId',
        insert: '  readonly nickname: string;\n',
      },
    ],
  },
  {
    what: 'a pane',
    name: 'weather',
    edits: [{ file: 'src/dashboard/view.ts', before: "'webhooks'] as const", insert: "'weather', " }],
  },
];

/** Every error of the compiler after all additions, as `file: message`. */
export function compileAdditions(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'muster-additions-'));
  try {
    cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const { compilerOptions, exclude } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
    const config = {
      compilerOptions,
      include: ['src'],
      // Scripts of pages are projects of their own.
      exclude: exclude.filter((path: string) => path.startsWith('src/')),
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const { file, before, insert } of ADDITIONS.flatMap(({ edits }) => edits)) {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      if (!text.includes(before)) throw new Error(`${file} has no ${JSON.stringify(before)} before which to insert`);
      writeFileSync(path, text.replace(before, `${insert}${before}`));
    }
    for (const { adds } of ADDITIONS) if (adds !== undefined) writeFileSync(join(folder, adds.file), adds.text);
    return compile(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One line for each error, with the lines that explain it. Several threads check much of it twice: half of the processor time. */
function compile(folder: string): string[] {
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '--pretty', 'false', '--singleThreaded'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: string };
    return stdout
      .split(/\n(?=src\/)/)
      .map((one) =>
        one
          .replace(/\((\d+),\d+\): error TS\d+/, '')
          .replace(/\s*\n\s*/g, ' ')
          .trim(),
      )
      .filter((one) => one !== '');
  }
}
