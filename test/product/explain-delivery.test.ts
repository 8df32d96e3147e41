/** `sandbox explain-delivery` names the mistake of a receiver that refuses. [cli] */
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';

let sandbox: SandboxHere;
let server: Server;
let secret = '';
let env: Record<string, string>;
/** By the path that a delivery comes to: status and text. */
const ANSWERS: Record<string, (timestamp: string, body: string) => [status: number, text: string]> = {
  '/anew': (timestamp, body) => {
    const text = JSON.stringify(JSON.parse(body), null, 2);
    return [
      401,
      `bad signature, expected ${createHmac('sha256', secret).update(`${timestamp}.${text}`).digest('hex')}`,
    ];
  },
  '/odd': () => [401, `expected ${'0f'.repeat(32)}`],
  '/silent': () => [401, 'no'],
  '/good': () => [204, ''],
};

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => {
      body += bytes;
    });
    request.on('end', () => {
      const [status, text] = ANSWERS[request.url ?? '']!(String(request.headers['x-service-timestamp']), body);
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const forward = `receiver.example=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sandbox = await SandboxHere.up(['--memory', '--watches', '4', '--forward', forward]);
  const { api_url, control_token } = sandbox.ready;
  env = { SANDBOX_URL: api_url, SANDBOX_CONTROL_TOKEN: control_token };
});
afterAll(async () => {
  await sandbox.stop();
  server.closeAllConnections();
  server.close();
});

/** A delivery to this path, and what explains it. */
async function explained(path: string, ...flags: string[]) {
  const token = await sandbox.token();
  const made = await sandbox.call('POST', '/v1/webhooks', token, {
    url: `https://receiver.example${path}`,
    event_types: ['alert.*'],
  });
  secret = made.body.secret as string;
  await sandbox.call('POST', `/v1/webhooks/${made.body.id}/test`, token);
  const { destination_id, event_id, delivery_id } = (await sandbox.printed(
    (line) => line['event'] === 'delivery-attempted' && line['destination_id'] === made.body.id,
  )) as Record<string, string>;
  const { code, stdout } = await runHere(['explain-delivery', event_id!, '--json', ...flags], { env });
  expect(code).toBe(0);
  const { data } = JSON.parse(stdout);
  expect(data.deliveries).toMatchObject([{ destination_id, event_id }]);
  return { ...data.deliveries[0], id: delivery_id ?? data.deliveries[0].delivery_id, event_id };
}

test('a signature in the answer names the mistake with certainty', async () => {
  const { causes, attempts, body, body_bytes } = await explained('/anew');
  expect(causes).toEqual([
    {
      certain: true,
      says: 'It parses the body and serializes the JSON again (indented by 2).',
      cure: expect.any(String),
    },
  ]);
  expect(body_bytes).toBe(Buffer.byteLength(body));
  const [{ attempt, string_to_sign, signed_with }] = attempts;
  const digest = createHmac('sha256', secret).update(string_to_sign).digest('hex');
  expect([attempt.request.headers['X-Service-Signature'], signed_with]).toEqual([`v1=${digest}`, ['the secret']]);
});

test('a signature in the answer that no known mistake gives is said to be one', async () => {
  const { causes } = await explained('/odd');
  expect(causes[0]).toMatchObject({ certain: false, says: expect.stringMatching(/no known mistake/) });
});

test('a signature that the receiver logged names it too; the secret of another destination as well', async () => {
  const { attempts, causes, id } = await explained('/silent');
  expect(causes).toEqual([expect.objectContaining({ certain: false, says: expect.stringMatching(/credentials/) })]);
  const [{ string_to_sign }] = attempts;
  const causeFor = async (key: string) => {
    const got = createHmac('sha256', key)
      .update(string_to_sign as string)
      .digest('hex');
    const { stdout } = await runHere(['explain-delivery', id, '--got', got, '--json'], { env });
    return JSON.parse(stdout).data.deliveries[0].causes[0];
  };
  expect(await causeFor(secret.slice('whsec_'.length))).toMatchObject({
    certain: true,
    says: 'It leaves out whsec_ from the secret.',
  });
  const own = secret;
  expect(await causeFor(own)).toMatchObject({ certain: true, says: expect.stringMatching(/its comparison is wrong/) });
  await explained('/good');
  expect(await causeFor(secret)).toMatchObject({
    certain: true,
    says: 'It signs with the secret of the destination https://receiver.example/good.',
  });
  expect(await causeFor('something')).toMatchObject({
    certain: false,
    says: expect.stringMatching(/no known mistake/),
  });
});

unless(
  withoutWhole,
).test('the secret of a session of "sandbox listen" is known when the session has ended', async () => {
  const { control_token } = sandbox.ready;
  const forward_to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/silent`;
  const session = await sandbox.call('POST', '/v1/sandbox/destinations', control_token, { forward_to });
  const { id: destination, secret: own } = session.body as Record<string, string>;
  const { body: workers } = await sandbox.call('GET', '/v1/workers', await sandbox.token());
  const call = { action: 'panel_sos', who: workers.data[0].external_id, by: 'Desk' };
  await sandbox.call('POST', '/v1/sandbox/actions', control_token, call);
  const { event_id } = (await sandbox.printed(
    (line) => line['event'] === 'delivery-attempted' && line['destination_id'] === destination,
  )) as Record<string, string>;
  await sandbox.call('DELETE', `/v1/sandbox/destinations/${destination}`, control_token);
  const shown = async (...got: string[]) => {
    const { stdout } = await runHere(['explain-delivery', event_id!, ...got, '--json'], { env });
    return JSON.parse(stdout).data.deliveries.find(
      (one: { destination_id: string }) => one.destination_id === destination,
    );
  };
  const { attempts } = await shown();
  expect(attempts[0].signed_with).toEqual(['the secret of sandbox listen']);
  const got = createHmac('sha256', own!.slice('whsec_'.length)).update(attempts[0].string_to_sign).digest('hex');
  expect((await shown('--got', got)).causes[0]).toMatchObject({
    certain: true,
    says: expect.stringContaining('leaves out whsec_ from the secret'),
  });
});

test('in words it shows the body, the attempt and the cause, and never a secret', async () => {
  const { event_id } = await explained('/anew');
  const { code, stdout } = await runHere(['explain-delivery', event_id], { env });
  expect(code).toBe(0);
  for (const words of [
    'bytes of UTF-8',
    'Attempt 1',
    'X-Service-Signature: v1=',
    'string to sign:',
    'with the secret',
    'computed, so certain',
  ])
    expect(stdout).toContain(words);
  expect(stdout).not.toContain('whsec_');
});

test('an id that is unknown is a usage error that says where ids stand', async () => {
  const { code, stderr } = await runHere(['explain-delivery', 'none'], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('sandbox logs deliveries --json')]);
});
