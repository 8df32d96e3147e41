/** The authority of a data folder: made once, trusted once, and replaced by nobody but the user. [cli, up --tls] */
import { X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authorityUntil, issueFrom, openAuthority } from '../../../src/service/store/folder/authority.ts';
import { AUTHORITY_FILE, CA_FILE, SERVER_FILE } from '../../../src/service/store/folder/files.ts';
import { ownFolder } from '../../helpers/own-folder.ts';

const NOW = Date.UTC(2026, 9, 5, 6);
const DAY_MS = 86_400_000;
const NAMES = ['localhost', '127.0.0.1', '::1'];

let folder: ReturnType<typeof ownFolder>;
beforeEach(() => {
  folder = ownFolder();
});
afterEach(() => folder.remove());

const path = (name: string): string => join(folder.path, name);
const modeOf = (name: string): string => (statSync(path(name)).mode & 0o777).toString(8);
const open = (names = NAMES, now = NOW) => openAuthority(folder.path, { names, now });
const until = ({ cert }: { cert: string }): number => Date.parse(new X509Certificate(cert).validTo);

describe('an authority', () => {
  test('keeps its key for its user, and gives its certificate to anybody', async () => {
    const { ca, caFile } = await open();
    expect([modeOf(AUTHORITY_FILE), modeOf(SERVER_FILE), modeOf(CA_FILE)]).toEqual(['600', '600', '644']);
    expect([caFile, readFileSync(caFile, 'utf8')]).toEqual([path(CA_FILE), ca]);
    expect(readFileSync(path(AUTHORITY_FILE), 'utf8')).toContain('PRIVATE KEY');
    expect(ca).not.toContain('PRIVATE KEY');
  });

  test('signs a server certificate that strict clients accept', async () => {
    const { ca, cert } = await open([...NAMES, 'sandbox.example']);
    const [issuer, server] = [new X509Certificate(ca), new X509Certificate(cert)];
    expect([issuer.ca, server.ca, server.checkIssued(issuer), server.verify(issuer.publicKey)]).toEqual([
      ...[true, false, true, true],
    ]);
    expect(['localhost', 'sandbox.example'].map((name) => server.checkHost(name))).toEqual([
      ...['localhost', 'sandbox.example'],
    ]);
    expect(['127.0.0.1', '::1'].map((address) => server.checkIP(address))).toEqual(['127.0.0.1', '::1']);
    expect([server.checkHost('other.example'), server.checkIP('127.0.0.2')]).toEqual([undefined, undefined]);
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    // OpenSSL with -x509_strict wants the identifiers of both keys: 2.5.29.14 and 2.5.29.35.
    for (const [one, id] of [
      [issuer, 14],
      [server, 14],
      [server, 35],
    ] as const)
      expect([id, one.raw.includes(Buffer.from([0x06, 0x03, 0x55, 0x1d, id]))]).toEqual([id, true]);
    // Browsers refuse more than 398 days.
    expect((until({ cert }) - Date.parse(server.validFrom)) / DAY_MS).toBeLessThanOrEqual(398);
  });

  test('has a key that follows from nothing', async () => {
    const first = await open();
    for (const name of [AUTHORITY_FILE, CA_FILE, SERVER_FILE]) rmSync(path(name));
    expect((await open()).ca).not.toBe(first.ca);
  });

  test('is the same at each later start, and so is the server certificate', async () => {
    const first = await open();
    expect(await open(NAMES, NOW + 100 * DAY_MS)).toEqual(first);
    expect(await open([...NAMES].reverse(), NOW + 100 * DAY_MS)).toEqual(first);
  });

  test('signs another server certificate for other names', async () => {
    const first = await open();
    const second = await open([...NAMES, 'FE80::1', 'sandbox.example']);
    expect([second.ca, second.cert === first.cert]).toEqual([first.ca, false]);
    // The same set of names, written in another way.
    expect(await open([...NAMES, 'fe80:0::1', 'Sandbox.example'])).toEqual(second);
    expect((await open()).cert).not.toBe(second.cert);
  });

  test('signs another one before the first ends, and none that outlives the authority', async () => {
    const first = await open();
    const later = until(first) - 30 * DAY_MS;
    const second = await open(NAMES, later);
    expect([second.ca, until(second) > until(first)]).toEqual([first.ca, true]);
    const end = authorityUntil(folder.path, NOW) ?? 0;
    const last = await open(NAMES, end - 2 * DAY_MS);
    expect(until(last)).toBe(end);
    expect(await open(NAMES, end - DAY_MS)).toEqual(last);
  });

  test.each([
    ['of another authority', () => writeFileSync(path(SERVER_FILE), foreign)],
    ['that is damaged', () => writeFileSync(path(SERVER_FILE), 'nothing of the kind')],
    ['that is gone', () => rmSync(path(SERVER_FILE))],
  ])('replaces a server certificate %s', async (_words, damage) => {
    const other = ownFolder();
    await openAuthority(other.path, { names: NAMES, now: NOW });
    foreign = readFileSync(join(other.path, SERVER_FILE), 'utf8');
    other.remove();
    const { ca } = await open();
    damage();
    const { cert } = await open();
    expect(new X509Certificate(cert).checkIssued(new X509Certificate(ca))).toBe(true);
  });

  test('writes the copy for clients again where somebody changed or removed it', async () => {
    const { ca } = await open();
    for (const spoil of [() => writeFileSync(path(CA_FILE), 'x'), () => rmSync(path(CA_FILE))]) {
      spoil();
      await open();
      expect(readFileSync(path(CA_FILE), 'utf8')).toBe(ca);
    }
  });

  test('issues a certificate for the moment, which is kept in no file', async () => {
    expect(await issueFrom(folder.path, { names: NAMES, now: NOW })).toBe(null);
    const { ca, cert } = await open();
    const issued = await issueFrom(folder.path, { names: ['127.0.0.9'], now: NOW });
    expect([issued?.ca, issued?.cert === cert]).toEqual([ca, false]);
    expect((await open()).cert).toBe(cert);
  });
});
let foreign = '';

describe('an authority is not replaced unasked, since clients would have to trust another one', () => {
  const outage = (code: string, message: RegExp) =>
    expect.objectContaining({
      name: 'Outage',
      code,
      exitCode: 3,
      message: expect.stringMatching(message),
      fix: expect.stringMatching(/delete \S+authority\.pem and \S+ca\.pem/),
    });

  test.each([
    ['is no certificate', () => 'nothing of the kind'],
    ['lacks its key', (text: string) => text.slice(0, text.indexOf('-----BEGIN PRIVATE KEY'))],
    ['has the key of another', (text: string, server: string) => text.replace(keyOf(text), keyOf(server))],
    ['is no authority', (_text: string, server: string) => server],
  ])('an authority whose file %s is an outage', async (_words, damaged) => {
    await open();
    const [text, server] = [AUTHORITY_FILE, SERVER_FILE].map((name) => readFileSync(path(name), 'utf8'));
    writeFileSync(path(AUTHORITY_FILE), damaged(text ?? '', server ?? ''));
    await expect(open()).rejects.toEqual(outage('authority_damaged', /is damaged/));
  });

  test('an authority without its file, but with its certificate, is an outage', async () => {
    await open();
    rmSync(path(AUTHORITY_FILE));
    await expect(open()).rejects.toEqual(outage('authority_lost', /is missing/));
  });

  test('an authority that has expired, or is not yet valid, is an outage', async () => {
    await open();
    const end = authorityUntil(folder.path, NOW) ?? 0;
    await expect(open(NAMES, end + 1_000)).rejects.toEqual(outage('authority_expired', /expired at 2036-/));
    const early = NOW - 2 * DAY_MS;
    await expect(open(NAMES, early)).rejects.toEqual(outage('authority_not_yet_valid', /valid from 2026-10-04/));
  });

  test('and the fix is one', async () => {
    const { ca } = await open();
    writeFileSync(path(AUTHORITY_FILE), '');
    for (const name of [AUTHORITY_FILE, CA_FILE]) rmSync(path(name));
    const renewed = await open();
    expect(renewed.ca).not.toBe(ca);
    expect(new X509Certificate(renewed.cert).checkIssued(new X509Certificate(renewed.ca))).toBe(true);
  });
});

const keyOf = (text: string): string => /-----BEGIN PRIVATE KEY[\s\S]*END PRIVATE KEY-----/.exec(text)?.[0] ?? '';
