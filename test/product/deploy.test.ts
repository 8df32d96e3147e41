/** The recipes of deploy/ and action/: what can be run without a container runtime is run, and the rest is held against what it names. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { startFleet } from '../faults/fleet-process.ts';
import { freePort } from '../helpers/free-port.ts';
import { Mosquitto } from '../helpers/mosquitto.ts';
import { withoutMosquitto } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { PostgresServer, withoutPostgres } from '../helpers/postgres-server.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { cleanEnv, RunningSandbox } from './sandbox-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'deploy');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const dockerfile = textOf('deploy/Dockerfile');

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** The instruction of the last stage, JSON form. */
function instruction(pattern: RegExp): string[] {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  return JSON.parse(pattern.exec(last)?.[1] ?? 'null');
}

const healthcheck = async (port: number, variables: Record<string, string> = {}): Promise<number | null> => {
  const [command = '', ...args] = instruction(/HEALTHCHECK[^[]*(\[.*\])/);
  const env = cleanEnv({ SANDBOX_PORT: String(port), ...variables });
  const [code] = await once(spawn(command, args, { env, stdio: 'ignore' }), 'close');
  return code;
};

describe('the image', () => {
  test('runs as a user without rights, and its command is one of the product', async () => {
    expect(dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))).toMatch(/^USER node$/m);
    expect(instruction(/^ENTRYPOINT (.*)$/m)).toEqual(['sandbox']);
    const [, variables = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
    const { stdout } = await runHere([...instruction(/^CMD (.*)$/m), '--help']);
    const known = stdout.replace(/\s+/g, ' ');
    for (const [, name] of variables.matchAll(/(\w+)=/g)) expect(known).toContain(`(env: ${name})`);
  });

  test('is well while the sandbox answers, and not before and after', async () => {
    const sandbox = await SandboxHere.up(['--memory', '--no-fleet', '--host', '0.0.0.0']);
    ended.push(() => sandbox.stop());
    const port = Number(new URL(sandbox.ready.api_url).port);
    expect(await healthcheck(port)).toBe(0);
    await sandbox.stop();
    expect(await healthcheck(port)).toBe(1);
  });

  unless(withoutWhole).test('is well while a sandbox of https answers', async () => {
    const folder = ownFolder();
    ended.push(folder.remove);
    const variables = { SANDBOX_TLS: '1', SANDBOX_DATA_DIR: join(folder.path, 'data') };
    const sandbox = await RunningSandbox.up(['--no-fleet', '--host', '0.0.0.0'], { env: variables });
    ended.push(() => sandbox.stop());
    const port = Number(new URL(sandbox.ready.api_url).port);
    expect(await healthcheck(port, variables)).toBe(0);
    await sandbox.stop();
    expect(await healthcheck(port, variables)).toBe(1);
  });
});

interface ComposeService {
  readonly command: string[];
  readonly environment?: Record<string, string>;
  readonly depends_on?: Record<string, unknown>;
  readonly build?: { readonly context: string; readonly dockerfile: string };
}

describe('the compose file', () => {
  const { services } = parse(textOf('deploy/compose.yaml')) as { services: Record<string, ComposeService> };
  const { sandbox, receiver } = services as Record<'sandbox' | 'receiver', ComposeService>;

  test('builds from files that are there', () => {
    const { context = '', dockerfile: file = '' } = sandbox.build ?? {};
    expect(readFileSync(join(DEPLOY, context, file), 'utf8')).toBe(dockerfile);
    expect(Object.keys(receiver.depends_on ?? {})).toEqual(['sandbox']);
  });

  test('has a sandbox whose events its receiver takes and verifies', async () => {
    const folder = ownFolder();
    ended.push(folder.remove);
    const credentials = join(DEPLOY, 'receiver/credentials.json');
    const port = await freePort();
    const args = sandbox.command
      .slice(1)
      .map((word) =>
        word === '/run/secrets/credentials'
          ? credentials
          : word.replace('http://receiver:8080', `http://127.0.0.1:${port}`),
      );
    const running = await SandboxHere.up([...args, '--data-dir', folder.path]);
    ended.push(() => running.stop());
    const child = spawn(process.execPath, [join(DEPLOY, 'receiver/receiver.mjs')], {
      env: { SANDBOX_API_URL: running.ready.api_url, CREDENTIALS: credentials, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    ended.push(() => stopped(child));
    const lines = createInterface({ input: child.stdout });
    await printed(lines, /^receiver on/);
    expect((await running.act({ action: 'sos', who: 'W-001' })).status).toBe(200);
    await printed(lines, /^alert\.created /);
  });
});

unless(withoutWhole, withoutPostgres, withoutMosquitto).describe('the nodes', () => {
  const { services } = parse(textOf('deploy/nodes/compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService>;
  };

  test('of the compose file share a world, and its fleet connects', async () => {
    const folder = ownFolder();
    ended.push(folder.remove);
    const server = await PostgresServer.start();
    ended.push(() => server.destroy());
    const settings = textOf('deploy/nodes/mosquitto.conf')
      .split('\n')
      .filter((line) => /^(allow_anonymous|set_tcp_nodelay|max_)/.test(line));
    const mosquitto = await Mosquitto.start(join(folder.path, 'mosquitto.conf'), [settings]);
    ended.push(() => mosquitto.stop());
    const broker = `mqtt://127.0.0.1:${mosquitto.ports[0]}`;
    const database = await server.database();
    const nodes: RunningSandbox[] = [];
    for (const name of ['node-a', 'node-b']) {
      const { command, environment } = services[name] as ComposeService;
      expect(Object.keys(environment ?? {})).toEqual(expect.arrayContaining(['SANDBOX_DATABASE', 'SANDBOX_BROKER']));
      const env = {
        ...environment,
        SANDBOX_DATABASE: database,
        SANDBOX_BROKER: broker,
        SANDBOX_DATA_DIR: join(folder.path, name),
        SANDBOX_CREDENTIALS: join(DEPLOY, 'receiver/credentials.json'),
      };
      const node = await RunningSandbox.up(command.slice(1), { env, ports: ['--port', '0'] });
      ended.push(() => node.stop());
      nodes.push(node);
    }
    const words = (services['fleet']?.command ?? []).map((word) =>
      word === '/node-a' ? join(folder.path, 'node-a') : word.replace('mqtt://mosquitto:1883', broker),
    );
    const fleet = await startFleet(words.slice(1));
    ended.push(() => fleet.stop());
    const [a, b] = nodes as [RunningSandbox, RunningSandbox];
    const { body } = await b.call('GET', '/v1/sandbox/nodes', a.ready.control_token);
    expect(body.nodes.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
  });
});

test('the Kubernetes manifest sets variables of the product, and probes paths that it has', async () => {
  const documents = parseAllDocuments(textOf('deploy/nodes/kubernetes.yaml')).map((one) => one.toJS());
  const [secret, , , set] = documents;
  expect(documents.map(({ kind }) => kind)).toEqual(['Secret', 'Service', 'Service', 'StatefulSet']);
  const [container] = set.spec.template.spec.containers;
  const { stdout } = await runHere([...container.args, '--help']);
  const known = stdout.replace(/\s+/g, ' ');
  for (const { name, valueFrom } of container.env) {
    expect(known).toContain(`(env: ${name})`);
    if (valueFrom?.secretKeyRef) expect(secret.stringData).toHaveProperty(valueFrom.secretKeyRef.key);
  }
  expect(container.readinessProbe.httpGet.path).toBe('/healthz');
  for (const { name, secret: from } of set.spec.template.spec.volumes) {
    expect(container.volumeMounts.map((mount: { name: string }) => mount.name)).toContain(name);
    for (const { key } of from?.items ?? []) expect(() => JSON.parse(secret.stringData[key])).not.toThrow();
  }
});

describe('the GitHub action', () => {
  const text = textOf('action/action.yml');
  const action = parse(text) as {
    inputs: Record<string, { required?: boolean; default?: string }>;
    outputs: Record<string, { value: string }>;
    runs: { using: string; steps: { id?: string; run?: string; shell?: string; env?: Record<string, string> }[] };
  };

  test('names inputs, steps and outputs that are there, and puts no input into shell text', () => {
    expect(action.runs.using).toBe('composite');
    const ids = action.runs.steps.flatMap(({ id }) => id ?? []);
    for (const [, input = ''] of text.matchAll(/\binputs\.([\w-]+)/g)) expect(action.inputs).toHaveProperty(input);
    for (const { value } of Object.values(action.outputs)) expect(ids).toContain(/steps\.(\w+)\./.exec(value)?.[1]);
    for (const { run: script, shell } of action.runs.steps.filter((step) => step.run !== undefined)) {
      expect([shell, script]).toEqual(['bash', expect.not.stringContaining('${{')]);
      expect(spawnSync('bash', ['-n'], { input: script }).status).toBe(0);
    }
  });

  test('is given inputs that it has by the workflow beside it', () => {
    const workflow = parse(textOf('deploy/github-workflow.yml'));
    const [job] = Object.values(workflow.jobs) as { steps: { uses?: string; with?: Record<string, string> }[] }[];
    const given = job?.steps.find(({ uses }) => uses === './action')?.with ?? {};
    for (const name of Object.keys(given)) expect(action.inputs).toHaveProperty(name);
    for (const [name, { required }] of Object.entries(action.inputs)) if (required) expect(given).toHaveProperty(name);
  });
});

test('every file of deploy/ parses, and is listed in its README', () => {
  const files = readdirSync(DEPLOY, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const readme = textOf('deploy/README.md');
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name), 'utf8');
    if (/\.ya?ml$/.test(name))
      for (const document of parseAllDocuments(text, { merge: true })) expect(document.errors).toEqual([]);
    if (name.endsWith('.json')) expect(JSON.parse(text)).toBeTypeOf('object');
    const listed = join(parentPath, name).slice(DEPLOY.length + 1);
    if (name !== 'README.md')
      expect(readme).toContain(listed.includes('/') ? listed.slice(0, listed.indexOf('/')) : listed);
  }
});

const printed = (lines: Interface, pattern: RegExp): Promise<void> =>
  new Promise((done) => {
    const look = (line: string) => {
      if (!pattern.test(line)) return;
      lines.off('line', look);
      done();
    };
    lines.on('line', look);
  });

async function stopped(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

describe('the reports of the CI files', () => {
  test('are one JUnit file over all runs, and no pattern that counts a test twice', () => {
    const { scenarios } = parse(textOf('deploy/gitlab-ci.yml')) as {
      scenarios: { script: string[]; artifacts: { reports: { junit: string } } };
    };
    const [, out = 'report'] = /--out (\S+)/.exec(scenarios.script.join('\n')) ?? [];
    expect(scenarios.artifacts.reports.junit).toBe(`${out}/junit.xml`);
    for (const path of ['action/action.yml', 'deploy/github-workflow.yml', 'deploy/gitlab-ci.yml'])
      expect([path, /[*]+[^\s'"]*[.](?:xml|md)/.exec(textOf(path).replace(/# .*/g, ''))]).toEqual([path, null]);
  });

  test('are of seeds that each job plays once, in GitLab and in GitHub', () => {
    const script = /FIRST=.*$/m.exec(textOf('deploy/gitlab-ci.yml'))?.[0] ?? '';
    const ranges = [1, 2, 3, 4].map((index) => {
      const env = cleanEnv({ CI_NODE_INDEX: String(index) });
      const words = ['-c', `${script}; echo "$FIRST..$(( FIRST + 9 ))"`];
      return spawnSync('bash', words, { env, encoding: 'utf8' }).stdout.trim();
    });
    expect(ranges).toEqual(parse(textOf('deploy/github-workflow.yml')).jobs.seeds.strategy.matrix.seeds);
  });
});
