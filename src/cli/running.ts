/** Finds the sandbox that is running: by its data folder, or by SANDBOX_URL and SANDBOX_CONTROL_TOKEN. [cli] */

import { type Ready, ReadyLine } from '../contract/banner.ts';
import { check } from '../contract/check.ts';
import { readSandboxFile } from '../store/data-folder.ts';
import { CommandError, EXIT } from './output.ts';

export interface FoundSandbox {
  readonly apiUrl: string;
  readonly controlToken: string;
  /** Null if found by address only. */
  readonly ready: Ready | null;
}

export function findRunning(dataDir: string): FoundSandbox {
  const { SANDBOX_URL, SANDBOX_CONTROL_TOKEN } = process.env;
  if (SANDBOX_URL !== undefined && SANDBOX_CONTROL_TOKEN !== undefined)
    return { apiUrl: SANDBOX_URL.replace(/\/+$/, ''), controlToken: SANDBOX_CONTROL_TOKEN, ready: null };
  const content = readSandboxFile(dataDir);
  const checked = check(ReadyLine, content);
  if (content === null || !checked.ok) throw none(dataDir);
  const { data } = checked.value;
  if (!isAlive(data.pid)) throw none(dataDir);
  return { apiUrl: data.api_url, controlToken: data.control_token, ready: data };
}

/** A killed sandbox leaves its file behind. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const none = (dataDir: string): CommandError =>
  new CommandError(EXIT.environment, 'no_sandbox', `No sandbox is running with the data folder ${dataDir}.`, {
    actions: ['Start one with: sandbox up', 'Or name its folder with --data-dir.'],
    retryable: true,
  });

/** One call of the control API; a sandbox that does not answer is an environment failure. */
export async function callSandbox(
  found: FoundSandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  let response: Response;
  try {
    response = await fetch(`${found.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${found.controlToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    const reason = (error as { cause?: Error }).cause?.message ?? (error as Error).message;
    throw new CommandError(
      EXIT.environment,
      'not_reachable',
      `The sandbox at ${found.apiUrl} does not answer: ${reason}`,
      {
        actions: ['Is it still running? Start one with: sandbox up'],
        retryable: true,
      },
    );
  }
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}
