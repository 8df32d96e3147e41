/** Which hosts mean this machine, and which host names a sandbox accepts. [decisions 10] */
import type { SandboxOptions } from '../options/options.ts';

export const LOOPBACK = '127.0.0.1';

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** A host as it is in a URL: an IPv6 address has brackets. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The names of the server certificate: those of this machine, `--host`, and the host of `--public-url`. [cli, up --tls] */
export function certificateNames({ host = LOOPBACK, publicUrl }: Pick<SandboxOptions, 'host' | 'publicUrl'>): string[] {
  const hosts = [host, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])];
  // Names in a certificate have no brackets, and no zone of a link-local address.
  const plain = hosts.map((name) => name.replace(/^\[|\]$/g, '').replace(/%.*$/, ''));
  return [...new Set(['localhost', LOOPBACK, '::1', ...plain])];
}

/**
 * Returns a predicate for allowed `Host` headers. On loopback: the sandbox's own names and that of `--public-url`. On
 * any other host, no name is allowed without the control token.
 */
export function hostRule(host: string, publicUrl: string | undefined): (header: string | undefined) => boolean {
  const known = publicUrl === undefined ? null : new URL(publicUrl).host;
  return (header) => {
    if (header === undefined || !isLoopback(host)) return false;
    const name = header.toLowerCase();
    return name === known || isLoopback(name.replace(/:\d+$/, ''));
  };
}

/** Secrets derived from a seed can be computed by anyone who knows the seed (`--seed 1` is common). A credentials file may replace only some of them. */
export const isGuessable = ({ seed, credentials }: Pick<SandboxOptions, 'seed' | 'credentials'>): boolean =>
  seed !== undefined && (credentials?.control_token === undefined || credentials.clients === undefined);
