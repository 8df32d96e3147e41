/** `sandbox openapi` and `sandbox asyncapi`: the documents of both wires, printed without a running sandbox. [cli] */
import { describe, expect, test } from 'vitest';
import { asyncApi } from '../../src/api/asyncapi.ts';
import { openApi } from '../../src/api/openapi.ts';
import { routes } from '../api/documented.ts';
import { run } from './sandbox-process.ts';

describe('sandbox openapi', () => {
  const print = (...flags: string[]) => run(['openapi', ...flags]);

  test('prints the document without a sandbox', async () => {
    const printed = async (...flags: string[]) => JSON.parse((await print(...flags)).stdout);
    const made = (part: 'contract' | 'sandbox') =>
      JSON.parse(JSON.stringify(openApi(routes, 'http://127.0.0.1:4600', part)));
    expect(await printed()).toEqual(made('contract'));
    expect(await printed('--sandbox')).toEqual(made('sandbox'));
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
  const print = (...flags: string[]) => run(['asyncapi', ...flags]);

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
