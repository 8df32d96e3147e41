/** Strict clients in several languages meet `up --tls`: each verifies by the variables of `sandbox env`, and is refused without them. [cli, up --tls] */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { trustVariables } from '../../src/contract/banner.ts';
import { withoutPrograms } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { withoutPart } from '../helpers/program-part.ts';
import { serverTls } from '../helpers/server-tls.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { BIN, cleanEnv, type Ended, run } from './sandbox-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = ownFolder();
const FEW = ['--watches', '12'];

const withoutRequests = () =>
  withoutPart('requests of Python', 'apt-get install python3-requests', ['python3', '-c', 'import requests']);

let sandbox: SandboxHere;
let stranger: Awaited<ReturnType<typeof serverTls>>;
beforeAll(async () => {
  stranger = await serverTls();
  sandbox = await SandboxHere.up(['--tls', ...FEW, '--data-dir', join(folder.path, 'data')]);
});
afterAll(async () => {
  await sandbox.stop();
  stranger.remove();
  folder.remove();
});

/** Runs a program with the variables of `sandbox env`, or with some of them. */
function client(
  command: string,
  args: readonly string[],
  variables: Record<string, string> = trusting(),
): Promise<Ended> {
  const own = { SANDBOX_API_URL: sandbox.ready.api_url };
  const child = spawn(command, args, { env: { ...cleanEnv(own), ...variables }, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (bytes) => {
    stdout += bytes;
  });
  child.stderr.on('data', (bytes) => {
    stderr += bytes;
  });
  return new Promise((done) => child.once('close', (code, signal) => done({ code, signal, stdout, stderr })));
}
const trusting = () => trustVariables(sandbox.ready.ca_file);

/** This machine's own settings must not matter. */
const TRUSTING_NOBODY = { NODE_EXTRA_CA_CERTS: '', SSL_CERT_FILE: '/dev/null', SSL_CERT_DIR: '/nowhere' };

const NODE_CLIENT = `fetch(process.env.SANDBOX_API_URL + '/healthz').then(
  ({ status }) => console.log(status), ({ cause }) => { console.log(cause.code); process.exit(1); });`;
const PYTHON_CLIENT = `
import os, ssl, urllib.request
try: print(urllib.request.urlopen(os.environ['SANDBOX_API_URL'] + '/healthz').status)
except urllib.error.URLError as error: print(error); exit(1)`;
const REQUESTS_CLIENT = `
import os, requests
try: print(requests.get(os.environ['SANDBOX_API_URL'] + '/healthz').status_code)
except requests.exceptions.SSLError as error: print(error); exit(1)`;
const GO_CLIENT = `package main
import ("fmt"; "net/http"; "os")
func main() {
  answer, err := http.Get(os.Getenv("SANDBOX_API_URL") + "/healthz")
  if err != nil { fmt.Println(err); os.Exit(1) }
  fmt.Println(answer.StatusCode)
}`;

describe('a strict client trusts it by the variables of env, and is refused without them', () => {
  const both = async (command: string, args: readonly string[], untrusted: Record<string, string> = {}) => {
    expect(await client(command, args)).toMatchObject({ code: 0, stdout: expect.stringContaining('200') });
    const refused = await client(command, args, { ...TRUSTING_NOBODY, ...untrusted });
    expect(refused.code).not.toBe(0);
    return refused.stdout + refused.stderr;
  };

  test('Node.js', async () => {
    expect(await both(process.execPath, ['-e', NODE_CLIENT])).toContain('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  unless(withoutPrograms('curl')).test('curl, and by --cacert', async () => {
    const args = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', `${sandbox.ready.api_url}/healthz`];
    expect(await both('curl', args, { CURL_CA_BUNDLE: '/dev/null' })).toMatch(/certificate|CA/);
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = sandbox.ready.api_url.replace('127.0.0.1', host);
      const named = ['--cacert', sandbox.ready.ca_file ?? '', ...args.slice(0, -1), `${url}/healthz`];
      expect(await client('curl', named, TRUSTING_NOBODY)).toMatchObject({ code: 0, stdout: '200' });
    }
  });

  unless(withoutPrograms('python3')).test('Python', async () => {
    expect(await both('python3', ['-c', PYTHON_CLIENT])).toContain('CERTIFICATE_VERIFY_FAILED');
  });

  unless(withoutWhole, withoutRequests).test('requests, of Python', async () => {
    const untrusted = { REQUESTS_CA_BUNDLE: '', CURL_CA_BUNDLE: '' };
    expect(await both('python3', ['-c', REQUESTS_CLIENT], untrusted)).toContain('CERTIFICATE_VERIFY_FAILED');
  });

  unless(withoutWhole, withoutPrograms('go')).test('Go', async () => {
    const file = join(folder.path, 'client.go');
    writeFileSync(file, GO_CLIENT);
    const program = join(folder.path, 'client');
    execFileSync('go', ['build', '-o', program, file], { env: { ...process.env, GOFLAGS: '-mod=mod' } });
    expect(await both(program, [])).toContain('certificate signed by unknown authority');
  });

  unless(
    withoutWhole,
    withoutPrograms('keytool', 'java'),
  ).test('Java, by a trust store with the authority', async () => {
    const [store, file] = [join(folder.path, 'trust.p12'), join(folder.path, 'Client.java')];
    const secret = ['-storepass', 'changeit'];
    const imported = ['-importcert', '-noprompt', '-alias', 'sandbox', '-file', sandbox.ready.ca_file ?? ''];
    execFileSync('keytool', [...imported, '-keystore', store, ...secret], { stdio: 'ignore' });
    writeFileSync(
      file,
      `import java.net.*; class Client { public static void main(String[] a) throws Exception {
        System.out.println(((HttpURLConnection) new URL(System.getenv("SANDBOX_API_URL") + "/healthz").openConnection()).getResponseCode()); } }`,
    );
    const trust = [`-Djavax.net.ssl.trustStore=${store}`, '-Djavax.net.ssl.trustStorePassword=changeit'];
    expect(await client('java', [...trust, file])).toMatchObject({ code: 0, stdout: '200\n' });
    expect(await client('java', [file])).toMatchObject({ code: 1, stderr: expect.stringContaining('PKIX path') });
  });

  unless(withoutPrograms('openssl')).test('openssl, by its strictest rules', async () => {
    const { host } = new URL(sandbox.ready.api_url);
    const verify = ['s_client', '-connect', host, '-verify_return_error', '-x509_strict', '-verify_ip', '127.0.0.1'];
    for (const ca of [sandbox.ready.ca_file ?? '', stranger.caFile]) {
      const { stdout, stderr } = await client('openssl', [...verify, '-CAfile', ca]);
      expect(stdout + stderr).toContain(ca === stranger.caFile ? 'unable to' : 'Verify return code: 0 (ok)');
    }
  });

  unless(withoutPrograms('mosquitto_sub')).test('mosquitto_sub, by --cafile', async () => {
    const [spare] = sandbox.ready.watches.filter(({ emulated }) => !emulated);
    const { port } = new URL(sandbox.ready.mqtt_url);
    const { serial = '', key = '', site_id = '' } = spare ?? {};
    const login = ['-h', '127.0.0.1', '-p', port, '-i', serial, '-u', serial, '-P', key, '-C', '1', '-W', '20'];
    const args = [...login, '-t', `wt/v1/${site_id}/${serial}/down/config`];
    const trusted = await client('mosquitto_sub', ['--cafile', sandbox.ready.ca_file ?? '', ...args]);
    expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining('position_every_s') });
    expect((await client('mosquitto_sub', ['--cafile', stranger.caFile, ...args])).code).not.toBe(0);
  });
});

const OAUTH_CLIENT = `
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
const { SANDBOX_API_URL: url, SANDBOX_CLIENT_ID: client_id, SANDBOX_CLIENT_SECRET: secret } = process.env;
const server = { issuer: url, token_endpoint: url + '/v1/oauth/token' };
const answer = await oauth.clientCredentialsGrantRequest(server, { client_id }, oauth.ClientSecretBasic(secret), {});
const granted = await oauth.processClientCredentialsResponse(server, { client_id }, answer);
const config = new openid.Configuration(server, client_id, undefined, openid.ClientSecretPost(secret));
const second = await openid.clientCredentialsGrant(config, {});
console.log(granted.token_type, second.token_type);`;

describe('exec --tls', () => {
  const exec = (args: string[], env: Record<string, string> = {}) =>
    run(['exec', '--tls', ...FEW, '--', ...args], { cwd: ROOT, env });

  test('runs strict OAuth clients without an option that makes them less strict', async () => {
    const file = join(ROOT, 'node_modules/.cache', `oauth-${process.pid}.mjs`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, OAUTH_CLIENT);
    const written = join(folder.path, 'oauth.txt');
    const ended = await runHere(
      ['exec', '--tls', ...FEW, '--', 'sh', '-c', `"${process.execPath}" "${file}" > "${written}"`],
      {
        cwd: ROOT,
      },
    );
    rmSync(file);
    expect([ended.code, readFileSync(written, 'utf8')]).toEqual([0, 'bearer bearer\n']);
  });

  unless(withoutWhole).test('gives its own commands the authority, and not that of another sandbox', async () => {
    const shell = `"${process.execPath}" "${BIN}" trigger sos --who W-001`;
    const outer = { SANDBOX_CA_FILE: '/nowhere/ca.pem' };
    expect(await exec(['sh', '-c', shell], outer)).toMatchObject({ code: 0, stdout: expect.stringContaining('sos') });
    const print = ['--', process.execPath, '-e', 'console.log(process.env.SANDBOX_CA_FILE)'];
    expect((await run(['exec', ...FEW, ...print], { cwd: ROOT, env: outer })).stdout).toBe('undefined\n');
  });
});
