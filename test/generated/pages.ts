/** Pages of docs/ that follow from the product: the language, the actions, the flags, both wires, the open points. */
import type { Option } from 'commander';
import { readShipped } from '../../src/base/shipped.ts';
import { FILE_LIMITS } from '../../src/base/user-files.ts';
import { everyCommand, groupOf } from '../../src/cli/commands.ts';
import { ACTION_GROUPS, ACTION_NAMES, ACTIONS, actionExample } from '../../src/contract/actions.ts';
import { OPEN_POINTS } from '../../src/contract/gaps.ts';
import { type Term, VOCABULARY } from '../../src/contract/resources/vocabulary.ts';
import type { SchemaNode } from '../../src/contract/schema.ts';
import { MOST_LISTED } from '../../src/plant/shown-mistakes.ts';
import { DEEPEST_YAML } from '../../src/plant/yaml-document.ts';
import { REFERENCE, WORD_GROUPS, type WordGroup, type WordHelp } from '../../src/scenario/language/derive/reference.ts';
import { FULL_BUDGET, MOST_STEPS } from '../../src/scenario/model/reading-budget.ts';
import { MOST_CASES } from '../../src/scenario/model/scenario.ts';
import { MOST_CHARACTERS } from '../../src/scenario/reading/merged-file.ts';
import { page, table, typeOf, wordsOf } from './markdown.ts';

const COMMANDS_IN_FILES = `## Commands in files

Two keys start a command on your machine: \`start\` of \`system\`, and \`run\` of a probe. A scenario from another person can therefore do everything that you can do. Read its commands before you run it:

\`\`\`sh
sandbox validate scenarios    # prints each command with its file and line, and starts nothing
\`\`\`

- **Command line.** A file that you name may start its commands. \`sandbox run\`, \`up --scenario\`, \`exec --scenario\`, \`explore\` and \`replay --inputs\` print them before they start.
- **Settings.** A command that \`sandbox.config.yaml\` names starts only with \`--allow-commands\` or \`SANDBOX_ALLOW_COMMANDS=1\`. This holds for \`start-command\`, for the commands of the \`scenario\` that the settings name, and for a parameter in \`set\` that is a command. The settings file cannot set \`allow-commands\` itself.
- **HTTP.** \`POST /v1/sandbox/scenarios/{name}/runs\` starts a scenario with commands with the control token only. A client's token gets 403 \`insufficient_scope\`, which names the key. The failures that a client sees name no command and no folder of the machine.
- **From code.** \`sandbox.play(file)\` starts the commands of the file that your code names.

A \`system\` that has only a \`url\` starts no command.`;

/** The numbers are those of the readers. */
function limitsOfFiles(): string {
  const mib = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;
  const rows = [
    ['Scenario, part, site, rules, settings, GeoJSON and PEM files', mib(FILE_LIMITS.document)],
    ['A scenario with all the parts that it uses', mib(MOST_CHARACTERS)],
    ['`--credentials`', mib(FILE_LIMITS.credentials)],
    ['One line of a snapshot or of a recording', mib(FILE_LIMITS.line)],
    [
      'Steps after expansion: those of a macro count at each use, a `repeat` counts its body once',
      MOST_STEPS.toLocaleString('en'),
    ],
    ['Values after parameters and macros are filled in', FULL_BUDGET.values.toLocaleString('en')],
    ['People of crowds', FULL_BUDGET.people.toLocaleString('en')],
    ['Runs of a matrix or of cases', MOST_CASES.toLocaleString('en')],
    ['Levels of nesting', String(DEEPEST_YAML)],
    ['Mistakes that are listed', String(MOST_LISTED)],
  ];
  return `## Limits of files

${table(['What', 'At most'], rows)}

- **Names.** A key is a text as it is written: \`007\`, \`1.10\` and \`null\` are names. Where a value is a name, write a number in quotes: \`in: "1.10"\`. Names are compared in Unicode NFC.
- **Text.** Files are UTF-8, with or without a byte order mark, with the line ends of any system. A mistake in JSON gets its line and column.
- **Regular files only.** A folder, a named pipe, a socket or a device is refused, also behind a symbolic link.
- **Folders.** A file that you name on the command line may be anywhere. Files that it refers to (\`use\`, GeoJSON) must be in its own folder, in the project folder (where the command runs) or in the package. For findings of \`explore\`, the folder of the rules is allowed too. Over HTTP, a scenario must be in the project folder or in the package. Symbolic links are resolved first.
- **Time.** A file that breaks a limit is refused within 2 s, and a valid file is read within 5 s. A running sandbox reads large scenarios in a separate thread, so the API keeps answering.
- **Many cases.** \`sandbox validate\` checks all cases of a file. For a long file, it checks a part of them and reports this. Each case is checked before it runs.`;
}

/** docs/scenario-reference.md */
export function scenarioPage(): string {
  const groups = Object.entries(WORD_GROUPS).map(([group, title]) => {
    const all = REFERENCE.filter((entry) => entry.group === (group as WordGroup));
    // A step that is an action is described with the actions.
    const actions = all.filter(({ action }) => action !== null);
    const entries = all.filter(({ action }) => action === null).map(wordSection);
    return [`## ${title}`, ...(actions.length === 0 ? [] : [actionSteps(actions)]), ...entries].join('\n\n');
  });
  return page(
    'Scenario reference',
    'A scenario is a YAML file that describes a site and its workers, a sequence of steps, and checks of the API, the events and the deliveries. This page describes every key and word of the language. If you write your first scenario, begin with the [tutorial](scenario-tutorial.md). For one task, see the [how-to guide](scenario-how-to.md).',
    '`sandbox explain WORD` prints the entry of a word in the terminal. The schema `scenario.schema.json` makes an editor complete and check each word. `sandbox init` writes a file that names it.',
    ...groups,
    COMMANDS_IN_FILES,
    limitsOfFiles(),
  );
}

function wordSection({ word, help, example, keys, remarks, file }: WordHelp): string {
  const rows = keys.map(({ name, required, meaning }) => [
    `\`${name}\`${required ? ' (required)' : ''}`,
    typeof meaning === 'string'
      ? meaning
      : [typeOf(meaning), wordsOf(meaning)].filter((part) => part !== '').join('. '),
  ]);
  return [
    `### ${word}`,
    help,
    `\`\`\`yaml\n${example}\n\`\`\``,
    ...(rows.length === 0 ? [] : [table(['key', 'meaning'], rows)]),
    ...(file === null ? [] : [`The file \`${file}\`:\n\n\`\`\`yaml\n${readShipped(file).trimEnd()}\n\`\`\``]),
    ...remarks,
  ].join('\n\n');
}

/** Steps that are actions, each with its example; the fields are on the page of the actions. */
const actionSteps = (words: readonly WordHelp[]): string =>
  [
    'These steps are actions. [Actions](actions.md) describes each of them with its fields. A step names workers by their short names in the file.',
    table(
      ['step', 'example', 'modifiers'],
      words.map(({ word, action, example, modifiers }) => [
        `[\`${word}\`](actions.md#${action})`,
        `\`${example.replace(/^- /, '').replace(/\n\s*/g, ', ')}\``,
        modifiers.join(', '),
      ]),
    ),
  ].join('\n\n');

/** docs/actions.md */
export function actionsPage(): string {
  const groups = ACTION_GROUPS.flatMap((group) => {
    const names = ACTION_NAMES.filter((name) => ACTIONS[name].group === group);
    return names.length === 0 ? [] : [`## ${capital(group.replace('_', ' '))}`, ...names.map(actionSection)];
  });
  return page(
    'Actions',
    'An action makes something happen in a running sandbox or in a scenario. There are four ways to perform the same action:',
    [
      '- **Terminal:** `sandbox trigger sos --who W-014`. The fields are flags. `sandbox trigger --list` lists the actions.',
      '- **HTTP:** `POST /v1/sandbox/actions` with the JSON body that is shown with each action.',
      '- **Scenario:** a step, such as `- sos: {who: ana}`. Each action below shows its step.',
      "- **Code:** `sandbox.act({ action: 'sos', who: 'W-014' })`.",
    ].join('\n'),
    'Outside of a scenario, name a worker by `external_id`, by `id` or by the serial of the watch: `sandbox world people` lists them. In the list of returned fields, a question mark marks a field that is not in every response.',
    ...groups,
  );
}

function actionSection(name: (typeof ACTION_NAMES)[number]): string {
  const { title, help, fields, gives, clientMay } = ACTIONS[name];
  const { properties = {}, required = [] } = fields as SchemaNode;
  const rows = Object.entries(properties).map(([key, node]) => [
    `\`${key}\`${required.includes(key) ? ' (required)' : ''}`,
    [typeOf(node), wordsOf(node)].filter((part) => part !== '').join('. '),
  ]);
  const steps = REFERENCE.filter(({ action }) => action === name);
  const answer = gives.length === 0 ? 'no fields' : gives.map((key) => `\`${key}\``).join(', ');
  return [
    `### ${name}`,
    `**${title}.** ${help}`,
    `\`\`\`json\n${JSON.stringify(actionExample(name))}\n\`\`\``,
    ...steps.map(({ example }) => `\`\`\`yaml\n${example}\n\`\`\``),
    ...steps.flatMap(({ short }) =>
      short === null ? [] : [`[Short form](scenario-reference.md#short-form): \`${short}\``],
    ),
    ...(rows.length === 0 ? [] : [table(['field', 'meaning'], rows)]),
    `Returns ${answer}.${clientMay ? '' : ' Requires the control token.'}`,
  ].join('\n\n');
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** docs/configuration.md */
export async function configurationPage(): Promise<string> {
  const commands = [...(await everyCommand())].sort((a, b) => groupOf(a.name()).localeCompare(groupOf(b.name())));
  const isShown = ({ hidden }: Option) => !hidden;
  const ofUp = new Set(commands.find((one) => one.name() === 'up')?.options.map(({ long }) => long));
  const sections = commands.map((command) => {
    // `exec` takes the flags of `up`.
    const isOfUp = ({ long }: Option) => command.name() === 'exec' && ofUp.has(long);
    const rows = command.options
      .filter((one) => isShown(one) && !isOfUp(one))
      .map(({ flags, description, envVar, argChoices }) => [
        `\`${flags}\``,
        `${description}${argChoices === undefined ? '' : ` (${argChoices.join(', ')})`}`,
        envVar === undefined ? '' : `\`${envVar}\``,
      ]);
    const words = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
    const also = command.name() === 'exec' ? ' It takes the flags of `up`.' : '';
    const head = [`## sandbox ${[command.name(), ...words].join(' ')}`, `${capital(command.description())}.${also}`];
    return [...head, ...(rows.length === 0 ? [] : [table(['flag', 'what it does', 'variable'], rows)])].join('\n\n');
  });
  return page(
    'Commands and configuration',
    'This page lists every command with its flags. A flag on the command line overrides its environment variable. The variable overrides `sandbox.config.yaml` of the folder, and the file overrides the default. The file contains flags of any command, without dashes; each command uses its own. `--no-fleet` is written as `fleet: false`:',
    '```yaml\n# sandbox.config.yaml\nport: 4700\nseed: 7\nwatches: 40\n```',
    'Commands that the file names, itself or by a scenario, start only with `--allow-commands`, which the file cannot set: see [Commands in files](scenario-reference.md#commands-in-files).',
    '`sandbox COMMAND --help` has examples and exit codes. `--json` prints one JSON object, or one object for each line: `{schema_version, command, status, data, warnings, error}`.',
    ...sections,
  );
}

/** docs/legend.md */
export const legendPage = (): string =>
  page(
    'Signs, words and colours',
    'The dashboard, the panel, the reports and the commands use these. A sign has one meaning. In each group, the most urgent comes first. A screen reader says the spoken words, behind *is* or *are*.',
    'The API has codes such as `wrong_point`, and totals by code. `help` in the totals of a muster counts all who called for help. Those of them who are trapped or injured are *to rescue* too, and so is who has an open SOS or fall.',
    ...Object.entries(VOCABULARY).map(([name, terms]) => {
      const rows = Object.entries<Term>(terms).map(([code, { glyph, ascii, word, short, spoken, token }]) => [
        glyph,
        `\`${ascii}\``,
        word,
        short,
        spoken,
        token,
        `\`${code}\``,
      ]);
      return `## ${name}\n\n${table(['Sign', 'ASCII', 'Word', 'Short', 'Spoken', 'Colour', 'Code'], rows)}`;
    }),
    'On pages, each colour has a contrast of at least 4.5:1, light and dark. A terminal gets the colours that it says it has: all of them (`COLORTERM=truecolor`), 256 (`TERM` ends with `-256color`), or the 16 of its own palette, where some tokens share one; the sign and the word differ. `NO_COLOR` turns colours off, and `FORCE_COLOR=1`, `2` or `3` selects 16, 256 or all. With `COLORFGBG`, as some terminals set it, the dashboard knows a light ground. `--theme colour-blind` distinguishes the terms of a group by blue, yellow and lightness.',
  );

/** docs/gaps.md */
export const gapsPage = (): string =>
  page(
    'Open points of the specification',
    'Where the specification is silent, this sandbox reads it as follows. `sandbox gaps` prints the same, `GET /v1/sandbox/gaps` serves it. A point with a switch can be read otherwise: `sandbox up --assume NAME=VALUE`, from code `{assume: {NAME: VALUE}}`. Ask the provider about what your system depends on.',
    'The last column says how `sandbox compare --to` observes which reading a service has, or why it cannot; and why a point without a switch has none. `compare --save profile.yaml` stores the observed readings, and `sandbox up --profile profile.yaml` takes them.',
    table(
      ['', 'id', 'clause', 'question', 'here', 'switch', 'observed by `compare --to`'],
      OPEN_POINTS.map((point) => [
        String(point.number),
        `\`${point.id}\``,
        point.clause,
        point.question,
        point.here,
        'switch' in point ? `\`${point.switch}=${point.readings.join('|')}\`` : '',
        [
          'observed' in point ? `${point.observed}.` : `Not observable: ${point.unobserved}`,
          'fixed' in point ? `Not switchable: ${point.fixed}` : '',
        ]
          .filter((text) => text !== '')
          .join(' '),
      ]),
    ),
  );
