/** Reads a JSON body as strictly as the wire deserves: UTF-8 only, no `__proto__` keys. [decisions 2] */
import { ProblemAnswer } from './problem.ts';

/** Undefined for an empty body: whether one is needed is the route's to say. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new ProblemAnswer('malformed_json', 'The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ProblemAnswer('malformed_json', `The body is not JSON: ${(error as Error).message}.`);
  }
  // An escape may spell the key, so a body with escapes is looked through too.
  if ((text.includes('__proto__') || text.includes('\\u')) && holdsProto(value))
    throw new ProblemAnswer('malformed_json', 'The body has a key named __proto__.');
  return value;
}

function holdsProto(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return true;
    open.push(...Object.values(value));
  }
  return false;
}
