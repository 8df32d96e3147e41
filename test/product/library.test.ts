/** The package as a dependency: its types under strict settings, recipes of three test runners beside each other, and an incomplete install. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPackage, installed } from '../helpers/installed.ts';
import { isWhole, sampleOf } from '../helpers/whole.ts';
import { cleanEnv } from './sandbox-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const RECIPES = join(ROOT, 'examples/testing');

let project: InstalledPackage;
beforeAll(() => {
  project = installed({ also: ['vitest'] });
});
afterAll(() => project.remove());

interface EndedRun {
  readonly code: number | null;
  readonly output: string;
}

/** Runs in the user's project to the end. */
function runThere(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<EndedRun> {
  const path = `${join(project.folder, 'node_modules/.bin')}:${process.env['PATH']}`;
  const child = spawn(command, args, { cwd: project.folder, env: cleanEnv({ PATH: path, ...env }) });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes;
    });
  return new Promise((done) => child.once('close', (code) => done({ code, output })));
}

const node = (...args: string[]) => runThere(process.execPath, args);

/** Lines that must not compile say so themselves. */
const CONSUMER = `
import { type Alert, type Event, startSandbox, withSandbox } from 'muster-sandbox';
await using sandbox = await startSandbox({ memory: true, port: 0, seed: 7, assume: { retry: 'delay' } });
const { alert_id } = await sandbox.act({ action: 'fall', who: 'W-001' });
export const id: string = alert_id;
export const ids: string[] = (await sandbox.act({ action: 'sos', who: ['W-001', 'W-002'] })).map((one) => one.alert_id);
// @ts-expect-error no such action
await sandbox.act({ action: 'fal', who: 'W-001' });
// @ts-expect-error no such field
await sandbox.act({ action: 'fall', who: 'W-001', anwsers: 'ok' });
// @ts-expect-error taking a watch off raises no alert
(await sandbox.act({ action: 'wear', who: 'W-001', is: 'off' })).alert_id;
export const escalated: boolean = (await sandbox.wait({ alert: 'fall_detected' })).found.details.escalated_to_sos;
// @ts-expect-error details of another type
(await sandbox.wait({ alert: 'fall_detected' })).found.details.battery_pct;
export const title: string = (await sandbox.wait({ alert: id })).found.title;
export const kind: string = (await sandbox.wait({ event: 'muster.*' })).found.data.muster.kind;
// @ts-expect-error no such option
await startSandbox({ mqttport: 0 });
export function pct(alert: Alert): number | null {
  return alert.type === 'low_battery' ? alert.details.battery_pct : null;
}
export const of = (event: Event) => (event.type === 'alert.created' ? pct(event.data.alert) : null);
await withSandbox({ seed: '7' }, async ({ sandbox, receiver, client }) => {
  const created = await receiver.next({ type: 'alert.created', about: alert_id, where: ({ data }) => data.alert.simulated });
  const alert: Alert = await client.get<Alert>('/v1/alerts/' + created.data.alert.id);
  sandbox.onNotice((notice) => void (notice.kind === 'delivery-attempted' && notice.status === 204 && alert.title));
});
`;

describe('types', () => {
  const compile = (lib: readonly string[]) => {
    const options = { target: 'es2022', lib, module: 'nodenext', strict: true, exactOptionalPropertyTypes: true };
    const compilerOptions = {
      ...options,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
    };
    writeFileSync(join(project.folder, 'consumer.mts'), CONSUMER);
    writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.mts'] }));
    return node(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.', '--singleThreaded');
  };

  test('a strict project compiles with them, its declarations checked, without any other package', async () => {
    expect(await compile(['es2023', 'esnext.disposable'])).toEqual({ code: 0, output: '' });
  });
});

describe('recipes, several processes in one folder', () => {
  // Beside each other they are under node:test too, of which a process costs half.
  const COPIES = isWhole ? ['one', 'two', 'three'] : ['one'];

  test('vitest: as it is, and in threads', async () => {
    for (const copy of COPIES) cpSync(join(RECIPES, 'vitest/alerts.test.ts'), join(project.folder, `${copy}.test.ts`));
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    for (const pool of sampleOf(['forks', 'threads'], 2))
      expect(await node(vitest, 'run', '--root', '.', '--pool', pool)).toMatchObject({
        code: 0,
        output: expect.stringMatching(new RegExp(`Tests\\s+${2 * COPIES.length} passed`)),
      });
  });

  test('node:test', async () => {
    for (const copy of ['one', 'two'])
      cpSync(join(RECIPES, 'node-test/alerts.test.mjs'), join(project.folder, `${copy}.test.mjs`));
    expect(await node('--test', 'one.test.mjs', 'two.test.mjs')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/pass 4\b/),
    });
  });

  const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;
  test.skipIf(!hasPytest)(`pytest${hasPytest ? '' : ' (not installed)'}`, async () => {
    cpSync(join(RECIPES, 'pytest'), join(project.folder, 'pytests'), { recursive: true });
    const env = { SANDBOX_COMMAND: `${process.execPath} ${project.bin}`, PYTHONDONTWRITEBYTECODE: '1' };
    expect(await runThere('python3', ['-m', 'pytest', '-p', 'no:cacheprovider', 'pytests'], env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('3 passed'),
    });
  });

  test('leave nothing behind', () => {
    expect(readdirSync(project.folder).filter((name) => name.startsWith('.sandbox'))).toEqual([]);
  });
});

describe('an install that lacks the library of this platform', () => {
  test('says which package is missing, and how it is had', async () => {
    const incomplete = installed({ leaveOut: ['@libsql'] });
    try {
      const script =
        "import { startSandbox } from 'muster-sandbox'; await startSandbox({ memory: true, port: 0, mqttPort: 0 });";
      const options = { cwd: incomplete.folder, env: cleanEnv(), encoding: 'utf8' } as const;
      const code = spawnSync(process.execPath, ['--input-type=module', '-e', script], options);
      expect(code.stderr).toMatch(/the package @libsql\/\S+ is missing\. .*npm install --include=optional/);
      const command = spawnSync(process.execPath, [incomplete.bin, 'up', '--memory', '--port', '0'], options);
      expect(command).toMatchObject({ status: 3, stderr: expect.stringContaining('npm install --include=optional') });
    } finally {
      incomplete.remove();
    }
  });
});

test('the package has the pictures of its README', () => {
  const packed = join(project.folder, 'node_modules/muster-sandbox');
  const pictures = [...readFileSync(join(packed, 'README.md'), 'utf8').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)];
  expect(pictures.length).toBeGreaterThan(0);
  for (const [, path = ''] of pictures) expect(readFileSync(join(packed, path)).length).toBeGreaterThan(0);
});
