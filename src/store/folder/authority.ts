/** The certificate authority of a data folder and the server certificate that it signs: made once, reused at later starts. [cli, up --tls] */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { Outage } from '../../base/assert.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { wallMs } from '../../base/time/timers.ts';
import type { KeyedCertificate } from './certificates.ts';
import { keepPrivate } from './data-folder.ts';
import { AUTHORITY_FILE, CA_FILE, SERVER_FILE } from './files.ts';
import { readIfThere, writePrivately } from './private-files.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** An integrator trusts the authority once, so it lasts for the life of a project. */
const AUTHORITY_DAYS = 3_650;

/** Browsers refuse server certificates of more than 398 days from authorities that they ship, and some from any. */
const SERVER_DAYS = 396;

/** A clock that is up to a day behind accepts a new certificate. */
const BACKDATED_DAYS = 1;

/** A server certificate with less than this left is made anew at a start; a process runs for less than this. */
const RENEWED_DAYS = 90;

/** What a TLS server presents. All texts are PEM. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  /** The certificate of the authority. */
  readonly ca: string;
  /** The absolute path of a file with `ca`. */
  readonly caFile: string;
}

interface TlsWishes {
  /** Host names and addresses that the server certificate must name. */
  readonly names: readonly string[];
  /** Wall time, ms. */
  readonly now?: number;
}

/**
 * The authority of the folder with a server certificate for the names. Makes what is missing, and renews the server
 * certificate when it lacks a name or nears its end. Throws an `Outage` for an authority that is damaged or expired:
 * a new one would have to be trusted anew, so the user decides.
 */
export async function openAuthority(folder: string, { names, now = wallMs() }: TlsWishes): Promise<ServerTls> {
  const authority = readAuthority(folder, now) ?? (await writeAuthority(folder, now));
  keepPrivate(join(folder, AUTHORITY_FILE));
  const caFile = join(folder, CA_FILE);
  // A copy for clients; the authority's own file is the source.
  if (readIfThere(caFile) !== authority.certificate) writePrivately(caFile, authority.certificate, { mode: 0o644 });
  const server = readServer(folder, authority, names, now) ?? (await writeServer(folder, authority, names, now));
  return { cert: server.certificate, key: server.key, ca: authority.certificate, caFile };
}

/** A server certificate that is kept in no file. */
export async function issueFrom(folder: string, { names, now = wallMs() }: TlsWishes): Promise<ServerTls | null> {
  const authority = readAuthority(folder, now);
  if (authority === null) return null;
  const { certificate: cert, key } = await issue(authority, names, now);
  return { cert, key, ca: authority.certificate, caFile: join(folder, CA_FILE) };
}

/** The last moment of the folder's authority, ms; null where there is none. Throws as `openAuthority`. */
export function authorityUntil(folder: string, now = wallMs()): number | null {
  const authority = readAuthority(folder, now);
  return authority === null ? null : Date.parse(new X509Certificate(authority.certificate).validTo);
}

/** Null where there is none yet. */
function readAuthority(folder: string, now: number): KeyedCertificate | null {
  const file = join(folder, AUTHORITY_FILE);
  const text = readIfThere(file);
  if (text === null) {
    if (readIfThere(join(folder, CA_FILE)) !== null) throw lost(folder);
    return null;
  }
  const authority = readKeyed(text);
  const certificate = authority === null ? null : new X509Certificate(authority.certificate);
  if (authority === null || certificate?.ca !== true) throw damaged(folder);
  const [from, until] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (now > until) throw expired(folder, until);
  if (now < from) throw notYet(folder, from, now);
  return authority;
}

async function writeAuthority(folder: string, now: number): Promise<KeyedCertificate> {
  const { makeAuthority } = await import('./certificates.ts');
  const authority = makeAuthority({
    notBefore: now - BACKDATED_DAYS * DAY_MS,
    notAfter: now + AUTHORITY_DAYS * DAY_MS,
  });
  writePrivately(join(folder, AUTHORITY_FILE), textOf(authority));
  return authority;
}

/** Null: there is none, or a new one must be made. What is wrong with it does not matter, since nobody trusts it by itself. */
function readServer(
  folder: string,
  authority: KeyedCertificate,
  names: readonly string[],
  now: number,
): KeyedCertificate | null {
  const file = join(folder, SERVER_FILE);
  const text = readIfThere(file);
  const server = text === null ? null : readKeyed(text);
  if (server === null) return null;
  keepPrivate(file);
  const [certificate, issuer] = [new X509Certificate(server.certificate), new X509Certificate(authority.certificate)];
  const isCurrent = now >= Date.parse(certificate.validFrom) && now < renewalOf(certificate, issuer);
  const isOwn = certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  return isCurrent && isOwn && namesOf(certificate) === wanted(names) ? server : null;
}

/** A certificate that ends with its authority cannot be renewed beyond it. */
function renewalOf(certificate: X509Certificate, issuer: X509Certificate): number {
  const until = Date.parse(certificate.validTo);
  return until === Date.parse(issuer.validTo) ? until : until - RENEWED_DAYS * DAY_MS;
}

async function writeServer(
  folder: string,
  authority: KeyedCertificate,
  names: readonly string[],
  now: number,
): Promise<KeyedCertificate> {
  const server = await issue(authority, names, now);
  writePrivately(join(folder, SERVER_FILE), textOf(server));
  return server;
}

async function issue(authority: KeyedCertificate, names: readonly string[], now: number): Promise<KeyedCertificate> {
  const { makeServerCertificate } = await import('./certificates.ts');
  const until = Date.parse(new X509Certificate(authority.certificate).validTo);
  return makeServerCertificate(authority, names, {
    notBefore: now - BACKDATED_DAYS * DAY_MS,
    notAfter: Math.min(until, now + SERVER_DAYS * DAY_MS),
  });
}

const textOf = ({ certificate, key }: KeyedCertificate): string => `${certificate}${key}`;

/** Null where the text has no certificate with its key. */
function readKeyed(text: string): KeyedCertificate | null {
  const [certificate, key] = ['CERTIFICATE', 'PRIVATE KEY'].map(
    (label) => new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----\n?`).exec(text)?.[0],
  );
  if (certificate === undefined || key === undefined) return null;
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)) ? { certificate, key } : null;
  } catch {
    return null;
  }
}

/** Both in the form in which Node.js shows them, so that equal sets of names give equal texts. */
const wanted = (names: readonly string[]): string => [...names].map(plain).sort().join();
const namesOf = ({ subjectAltName = '' }: X509Certificate): string =>
  subjectAltName
    .split(', ')
    .map((entry) => plain(entry.replace(/^(DNS|IP Address):/, '')))
    .sort()
    .join();

/** An IPv6 address as URLs have it: Node.js writes `0:0:0:0:0:0:0:1`. */
const plain = (name: string): string =>
  name.includes(':') ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name.toLowerCase();

const ANEW = (folder: string): string =>
  `delete ${join(folder, AUTHORITY_FILE)} and ${join(folder, CA_FILE)}; the next start creates a new one, which clients must trust again.`;

const damaged = (folder: string): Outage =>
  new Outage({
    code: 'authority_damaged',
    message: `The certificate authority ${join(folder, AUTHORITY_FILE)} is damaged: it is not an authority with its private key.`,
    fix: `Restore the file from a copy, or ${ANEW(folder)}`,
  });

const lost = (folder: string): Outage =>
  new Outage({
    code: 'authority_lost',
    message: `The certificate authority ${join(folder, AUTHORITY_FILE)} is missing, and its certificate ${CA_FILE} is still there.`,
    fix: `Restore the file from a copy, or ${ANEW(folder)}`,
  });

const expired = (folder: string, until: number): Outage =>
  new Outage({
    code: 'authority_expired',
    message: `The certificate authority ${join(folder, AUTHORITY_FILE)} expired at ${formatInstant(until)}.`,
    fix: `Check this machine's clock. If it is right, ${ANEW(folder)}`,
  });

const notYet = (folder: string, from: number, now: number): Outage =>
  new Outage({
    code: 'authority_not_yet_valid',
    message: `The certificate authority ${join(folder, AUTHORITY_FILE)} is valid from ${formatInstant(from)} on, and this machine's clock shows ${formatInstant(now)}.`,
    fix: `Set the clock. If it is right, ${ANEW(folder)}`,
  });
