/**
 * Plays the scenario of each switch without the switch, where it must pass, and with it, where it must fail:
 * `node --import tsx bench/control-rooms/stories.ts [--only SYSTEM[/SWITCH]] [--across] [--sandbox COMMAND]`.
 *
 * `--across` plays other scenarios on each correct system instead, with all of its rules: the trials, and those of the other
 * systems.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlRoom, commandLine, controlRoom, copied, padded, SYSTEMS, selected } from './set.ts';

const WIDTHS = [40, 11, 8, 8, 0];
const TRIALS = join(import.meta.dirname, 'trials');
const PASSED = 0;
const FAILED = 1;

const { only, sandbox, has } = commandLine([], ['across']);
let wrong = 0;

/** The exit code of `sandbox run`, and its first failure, or else its last line. */
function played(folder: string, file: string, bug: string): { readonly code: number | null; readonly why: string } {
  const { status, stdout, stderr } = spawnSync(`${sandbox} run ${JSON.stringify(file)}`, {
    shell: true,
    cwd: folder,
    encoding: 'utf8',
    env: Object.assign({}, process.env, { BUG: bug, TMPDIR: folder }),
  });
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  const why = lines.find((line) => /\bgot\b|expected|✗/.test(line)) ?? lines.at(-1);
  return { code: status, why: (why ?? '').trim() };
}

function row(cells: readonly string[], isRight: boolean): void {
  if (!isRight) wrong++;
  console.log(padded([...cells, isRight ? '' : 'WRONG'], WIDTHS));
}

/** The steps and the plant of a scenario, with the system and all the rules of another control room. */
function moved(scenario: string, to: ControlRoom, folder: string, number: number): string {
  const rules = readFileSync(join(to.folder, to.rules), 'utf8');
  const receiver =
    /^receivers:\n {2}(\w+):/m.exec(readFileSync(join(to.folder, 'system.part.yaml'), 'utf8'))?.[1] ?? '';
  const text =
    `${readFileSync(scenario, 'utf8').replace(/^rules:\n[\s\S]*/m, '')}${rules.slice(rules.indexOf('rules:'))}`
      .replace(/\.\.\/(?:node\/)?system\.part\.yaml/, 'system.part.yaml')
      .replace(/((?:name|to|rotate_secret|test): )(?:board|desk|screen)\b/g, `$1${receiver}`)
      // Of those who take charge of alerts, each takes other alerts.
      .replace(/^( {2}- wait_for: .*status: )acknowledged/gm, '$1any')
      // A rule that matches nothing in one scenario is not broken.
      .replace(/^( {4}within: 90s)$/m, '$1\n    count: 0..');
  const file = join(folder, `across-${number}.scenario.yaml`);
  writeFileSync(file, text);
  return file;
}

console.log(padded(['switch', 'family', 'without', 'with', ''], WIDTHS));
for (const { room, switches } of selected(only)) {
  const { folder, remove } = copied(room);
  for (const one of has('across') ? [] : switches) {
    const right = played(folder, one.story, '');
    const bug = played(folder, one.story, one.name);
    const word = (code: number | null) => (code === PASSED ? 'passes' : code === FAILED ? 'fails' : `exit ${code}`);
    const cells = [`${room.name}/${one.name}`, one.family, word(right.code), word(bug.code)];
    const isAsWanted = right.code === PASSED && bug.code === FAILED;
    row(isAsWanted ? cells : [...cells, right.code === PASSED ? bug.why : right.why], isAsWanted);
  }
  if (has('across')) {
    const others = SYSTEMS.filter((name) => name !== room.name).map(controlRoom);
    const foreign = others.flatMap((other) =>
      other.switches.map((one) => ({ name: `${other.name}/${one.name}`, file: join(other.folder, one.story) })),
    );
    const trials = readdirSync(TRIALS).map((name) => ({
      name: `trials/${name.split('.')[0]}`,
      file: join(TRIALS, name),
    }));
    let held = 0;
    for (const [number, { name, file }] of [...trials, ...foreign].entries()) {
      const { code, why } = played(folder, moved(file, room, folder, number), '');
      if (code === PASSED) held++;
      else row([`${name} on ${room.name}`, '', '', `exit ${code}`, why], false);
    }
    console.log(
      `${room.name}: ${held} of ${trials.length + foreign.length} trials and scenarios of the other systems pass`,
    );
  }
  remove();
}
console.log(wrong === 0 ? 'all as they should be' : `${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
