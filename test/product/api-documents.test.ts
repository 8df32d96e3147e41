/** `sandbox openapi` and `sandbox asyncapi`: the documents of both wires, printed with or without a running sandbox. [cli] */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asyncApi } from '../../src/service/api/documents/asyncapi.ts';
import { openApi } from '../../src/service/api/documents/openapi.ts';
import { openApi30 } from '../../src/service/api/openapi/openapi30.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { routes } from '../service/api/documented.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';

const folder = ownFolder();
afterAll(() => folder.remove());
const cwd = folder.path;

describe('sandbox openapi', () => {
  const print = (...flags: string[]) => runHere(['openapi', ...flags], { cwd });

  test('prints the document without a sandbox', async () => {
    const printed = async (...flags: string[]) => JSON.parse((await print(...flags)).stdout);
    const made = (part: 'contract' | 'sandbox') =>
      JSON.parse(JSON.stringify(openApi(routes, 'http://127.0.0.1:4600', part)));
    expect(await printed()).toEqual(made('contract'));
    expect(await printed('--sandbox')).toEqual(made('sandbox'));
    const made30 = (part: 'contract' | 'sandbox') => JSON.parse(JSON.stringify(openApi30(made(part))));
    expect(await printed('--format', 'openapi-3.0')).toEqual(made30('contract'));
    expect(await printed('--format', 'openapi-3.0', '--sandbox')).toEqual(made30('sandbox'));
  });

  test('puts it into the envelope with --json, and names the address that --url gives', async () => {
    const { stdout } = await print('--json', '--url', 'https://sandbox.example/');
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'openapi',
      status: 'ok',
      data: { openapi: '3.1.0', servers: [{ url: 'https://sandbox.example' }] },
    });
  });

  test.each(['postman', 'bruno'])('prints a collection for %s with a request for each operation', async (format) => {
    const { stdout } = await print('--format', format, '--url', 'https://sandbox.example');
    const count = Object.values(openApi(routes, '', 'contract').paths).flatMap((item) => Object.keys(item)).length;
    expect([...stdout.matchAll(/"method": /g)]).toHaveLength(count);
    expect(stdout).toContain('https://sandbox.example');
    expect(await print('--format', 'insomnia')).toMatchObject({ code: 2 });
  });

  test('refuses an address that is none', async () => {
    expect(await print('--url', 'nowhere')).toMatchObject({ code: 2 });
  });
});

describe('sandbox asyncapi', () => {
  const print = (...flags: string[]) => runHere(['asyncapi', ...flags], { cwd });

  test('prints the document without a sandbox', async () => {
    const document = asyncApi('mqtt://127.0.0.1:1883');
    expect(JSON.parse((await print()).stdout)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('puts it into the envelope with --json, and names the broker that --url gives', async () => {
    const { stdout } = await print('--json', '--url', 'mqtts://broker.example:8883');
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'asyncapi',
      status: 'ok',
      data: { asyncapi: '3.0.0', servers: { sandbox: { host: 'broker.example:8883', protocol: 'mqtts' } } },
    });
  });

  test('refuses an address that is no broker’s', async () => {
    expect(await print('--url', 'http://127.0.0.1')).toMatchObject({ code: 2 });
  });
});

describe('a command that finds a running sandbox', () => {
  let sandbox: SandboxHere;
  beforeAll(async () => {
    sandbox = await SandboxHere.up(['--watches', '3', '--memory', '--data-dir', 'plant'], { cwd });
  });
  afterAll(() => sandbox.stop());

  const here = (words: readonly string[]) => runHere([...words, '--data-dir', sandbox.ready.data_dir], { cwd });

  test.each([
    [['openapi']],
    [['openapi', '--sandbox']],
    [['openapi', '--format', 'openapi-3.0']],
    [['openapi', '--format', 'postman']],
    [['openapi', '--format', 'bruno']],
  ])('%j names its address, and says so on stderr', async (words) => {
    const { api_url } = sandbox.ready;
    const { stdout, stderr } = await here(words);
    expect(stdout).toContain(api_url);
    expect(stdout).not.toContain(':4600');
    expect(stderr).toBe(
      `The document has the address of the running sandbox, ${api_url}. Use --url for another address.\n`,
    );
  });

  test('asyncapi names its broker', async () => {
    const { mqtt_url } = sandbox.ready;
    const { stdout, stderr } = await here(['asyncapi']);
    expect(JSON.parse(stdout).servers.sandbox.host).toBe(new URL(mqtt_url).host);
    expect(stderr).toContain(mqtt_url);
  });

  test('--url wins, and nothing is reported', async () => {
    const { stdout, stderr } = await here(['openapi', '--url', 'https://sandbox.example']);
    expect(stdout).not.toContain(sandbox.ready.api_url);
    expect(stderr).toBe('');
  });

  test('SANDBOX_URL alone names a sandbox elsewhere, whose broker is not known', async () => {
    const env = { SANDBOX_URL: 'http://127.0.0.1:9/' };
    const dataDir = ['--data-dir', sandbox.ready.data_dir];
    const openapi = await runHere(['openapi', ...dataDir], { cwd, env });
    expect(JSON.parse(openapi.stdout).servers[0].url).toBe('http://127.0.0.1:9');
    const asyncapi = await runHere(['asyncapi', ...dataDir], { cwd, env });
    expect(JSON.parse(asyncapi.stdout).servers.sandbox.host).toBe('127.0.0.1:1883');
  });
});
