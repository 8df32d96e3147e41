/** Finds the sandbox that is running: by its data folder, or by SANDBOX_URL and SANDBOX_CONTROL_TOKEN. [cli] */

import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { requestText, tlsFix } from '../base/network/trusting-fetch.ts';
import { CLI } from '../base/text/command-form.ts';
import { FILE_LIMITS, readUserText } from '../base/user-files.ts';
import { type Ready, ReadyLine } from '../contract/banner.ts';
import { check } from '../contract/check.ts';
import type { Problem } from '../contract/problems.ts';
import { readSandboxFile } from '../service/store/folder/data-folder.ts';
import { SANDBOX_FILE } from '../service/store/folder/files.ts';
import { CommandError, EXIT } from './output.ts';

export interface FoundSandbox {
  readonly apiUrl: string;
  /** PEM of the certificate authority to trust; null for those of Node.js. */
  readonly ca: string | null;
  readonly controlToken: string;
  /** Null if the sandbox was found by its address and the data folder belongs to another one. */
  readonly ready: Ready | null;
}

export function findRunning(dataDir: string): FoundSandbox {
  const { SANDBOX_URL, SANDBOX_CONTROL_TOKEN } = process.env;
  if (SANDBOX_URL === undefined || SANDBOX_CONTROL_TOKEN === undefined) {
    const ready = readyIn(dataDir);
    if (ready === null) throw noSandbox(dataDir);
    return foundBy(ready);
  }
  const apiUrl = SANDBOX_URL.replace(/\/+$/, '');
  const ready = readyAt(dataDir, apiUrl);
  const { SANDBOX_CA_FILE = ready?.ca_file } = process.env;
  return { apiUrl, ca: caIn(SANDBOX_CA_FILE, 'SANDBOX_CA_FILE'), controlToken: SANDBOX_CONTROL_TOKEN, ready };
}

/** The sandbox that a ready line describes. */
export const foundBy = (ready: Ready): FoundSandbox => ({
  apiUrl: ready.api_url,
  ca: caIn(ready.ca_file, join(ready.data_dir, SANDBOX_FILE)),
  controlToken: ready.control_token,
  ready,
});

/** The certificate authority (PEM) in the file that `source` names; null without one. */
export function caIn(file: string | undefined, source: string): string | null {
  if (file === undefined || file === '') return null;
  const text = readUserText(file, { mostBytes: FILE_LIMITS.document });
  let why = typeof text === 'string' ? '' : text.why;
  if (typeof text === 'string')
    try {
      new X509Certificate(text);
      return text;
    } catch (error) {
      why = `is not a PEM certificate (${(error as Error).message})`;
    }
  throw new CommandError(EXIT.environment, 'ca_file_unreadable', `${source} names ${file}, which ${why}.`, {
    actions: [`Give the ca.pem of that sandbox: its "${CLI} env" prints the path as SANDBOX_CA_FILE.`],
  });
}

/** The ready data of the sandbox that runs on the data folder; null if none is running there. */
export function readyIn(dataDir: string): Ready | null {
  const checked = check(ReadyLine, readSandboxFile(dataDir));
  return checked.ok && isAlive(checked.value.data.pid) ? checked.value.data : null;
}

/** The data folder may belong to another sandbox than the address. Then this returns null. */
function readyAt(dataDir: string, apiUrl: string): Ready | null {
  try {
    const ready = readyIn(dataDir);
    return ready?.api_url === apiUrl ? ready : null;
  } catch {
    // An unreadable data folder is not an error, because the address is sufficient.
    return null;
  }
}

/** Checks that the process exists, because a killed sandbox does not delete its file. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export const noSandbox = (dataDir: string): CommandError =>
  new CommandError(EXIT.environment, 'no_sandbox', `No sandbox is running with the data folder ${dataDir}.`, {
    actions: [`Start one with: ${CLI} up`, 'If it runs on another folder, name it with --data-dir.'],
    retryable: true,
  });

/** Calls the control API once. If the sandbox does not answer, this is an environment failure. */
export async function callSandbox(
  found: FoundSandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const { status, text } = await ask(found, method, path, body);
  return { status, body: text === '' ? null : JSON.parse(text) };
}

/**
 * The error for a refusal of the control API. The exit code is 1 if the state does not allow the call, 2 for unknown
 * words, and otherwise that of the environment.
 */
export function refusedCall(status: number, body: unknown): CommandError {
  const { code = 'refused', detail = `The sandbox answered ${status}.`, errors } = (body ?? {}) as Partial<Problem>;
  const exitCode = status === 409 ? EXIT.failed : status === 404 || status === 422 ? EXIT.usage : EXIT.environment;
  const actions = status === 401 ? [`Check SANDBOX_CONTROL_TOKEN: the ready line of ${CLI} up has it.`] : [];
  return new CommandError(exitCode, code, detail, { details: errors ?? null, retryable: status >= 429, actions });
}

async function ask(found: FoundSandbox, method: string, path: string, body?: unknown) {
  try {
    return await requestText(found.ca, `${found.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${found.controlToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    const { code = '', message: reason } = causeOf(error);
    throw new CommandError(
      EXIT.environment,
      'not_reachable',
      `The sandbox at ${found.apiUrl} does not answer: ${reason}`,
      {
        actions: [tlsFix(code) ?? `Is it still running? Start one with: ${CLI} up`],
        retryable: true,
      },
    );
  }
}

/** The first of several addresses of a name stands for all of them. */
function causeOf(error: unknown): NodeJS.ErrnoException {
  const { cause = error } = error as { cause?: unknown };
  return cause instanceof AggregateError ? (cause.errors[0] ?? cause) : (cause as NodeJS.ErrnoException);
}
