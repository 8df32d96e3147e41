/** Which hosts are this machine, and under which names a sandbox there may be called. [decisions 10] */
import type { SandboxOptions } from './options.ts';

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** On a loopback address, its own names and that of `--public-url`; on another host none until somebody shows the control token. */
export function hostRule(host: string, publicUrl: string | undefined): (header: string | undefined) => boolean {
  const known = publicUrl === undefined ? null : new URL(publicUrl).host;
  return (header) => {
    if (header === undefined || !isLoopback(host)) return false;
    const name = header.toLowerCase();
    return name === known || isLoopback(name.replace(/:\d+$/, ''));
  };
}

/** Secrets that follow from a seed are known to whoever knows the seed: `--seed 1` is everybody's. A file may set some of them only. */
export const isGuessable = ({ seed, credentials }: Pick<SandboxOptions, 'seed' | 'credentials'>): boolean =>
  seed !== undefined && (credentials?.control_token === undefined || credentials.clients === undefined);
