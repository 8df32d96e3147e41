/** The certificate authority of a data folder and the server certificate that it signs: made once, reused at later starts. [cli, up --tls] */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { Outage } from '../../../base/assert.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { wallMs } from '../../../base/time/timers.ts';
import type { KeyedCertificate } from './certificates.ts';
import { keepPrivate } from './data-folder.ts';
import { AUTHORITY_FILE, CA_FILE, SERVER_FILE } from './files.ts';
import { readIfThere, writePrivately } from './private-files.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** An integrator trusts the authority once, so it is valid for the lifetime of a project. */
const AUTHORITY_DAYS = 3_650;

/**
 * Browsers refuse server certificates that are valid for more than 398 days: all browsers for authorities that they
 * ship, and some for any authority.
 */
const SERVER_DAYS = 396;

/** A new certificate is valid from one day ago, so that a clock that is up to one day behind accepts it. */
const BACKDATED_DAYS = 1;

/**
 * A start replaces a server certificate that is valid for less than this; a process is assumed to run for less time.
 */
const RENEWED_DAYS = 90;

/** The certificates of a TLS server. All texts are PEM. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  /** The certificate of the authority. */
  readonly ca: string;
  /** The absolute path of a file with `ca`. */
  readonly caFile: string;
}

interface TlsWishes {
  /** Host names and addresses that the server certificate must contain. */
  readonly names: readonly string[];
  /** Wall time, ms. */
  readonly now?: number;
}

/**
 * Returns the authority of the folder with a server certificate for the names. Creates missing files, and renews the
 * server certificate if it lacks a name or expires soon. Throws an `Outage` for a damaged or expired authority: clients
 * would have to trust a new authority, so the user decides.
 */
export async function openAuthority(folder: string, { names, now = wallMs() }: TlsWishes): Promise<ServerTls> {
  const authority = readAuthority(folder, now) ?? (await writeAuthority(folder, now));
  keepPrivate(join(folder, AUTHORITY_FILE));
  const caFile = join(folder, CA_FILE);
  // This copy is for clients; the authority's own file is the source.
  if (readIfThere(caFile) !== authority.certificate) writePrivately(caFile, authority.certificate, { mode: 0o644 });
  const server = readServer(folder, authority, names, now) ?? (await writeServer(folder, authority, names, now));
  return { cert: server.certificate, key: server.key, ca: authority.certificate, caFile };
}

/** Returns a server certificate that is not written to a file; null if the folder has no authority. */
export async function issueFrom(folder: string, { names, now = wallMs() }: TlsWishes): Promise<ServerTls | null> {
  const authority = readAuthority(folder, now);
  if (authority === null) return null;
  const { certificate: cert, key } = await issue(authority, names, now);
  return { cert, key, ca: authority.certificate, caFile: join(folder, CA_FILE) };
}

/** Returns the end of validity of the folder's authority, ms; null if there is none. Throws as `openAuthority`. */
export function authorityUntil(folder: string, now = wallMs()): number | null {
  const authority = readAuthority(folder, now);
  return authority === null ? null : Date.parse(new X509Certificate(authority.certificate).validTo);
}

/** Returns null if there is no authority yet. */
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

/**
 * Returns null if there is no valid certificate, so that a new one must be created. The reason does not matter, because
 * clients only trust the authority.
 */
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

/** A certificate that expires with its authority cannot be renewed beyond that time. */
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

/** Returns null if the text has no certificate with its key. */
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

/** Both texts use the form in which Node.js returns names, so that equal sets of names give equal texts. */
const wanted = (names: readonly string[]): string => [...names].map(plain).sort().join();
const namesOf = ({ subjectAltName = '' }: X509Certificate): string =>
  subjectAltName
    .split(', ')
    .map((entry) => plain(entry.replace(/^(DNS|IP Address):/, '')))
    .sort()
    .join();

/** Returns an IPv6 address in the form of URLs, because Node.js writes `0:0:0:0:0:0:0:1`. */
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
