/** The text of stored rows: read as bytes and judged here, so that a damaged one is told and not guessed at. */
import { StorageBroken } from '../engine/store-port.ts';

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws `StorageBroken` where the bytes are no UTF-8. `row` names it. */
export function strictText(bytes: ArrayBuffer, row: () => string): string {
  try {
    return STRICT.decode(bytes);
  } catch (error) {
    throw new StorageBroken(`The stored row of ${row()} is damaged: it is no UTF-8.`, { cause: error });
  }
}

/** For a message about the row: bytes that are no UTF-8 become question marks in diamonds. */
export const looseText = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('utf8');

/** Throws `StorageBroken` where the bytes are no JSON object. */
export function parseBody<T extends object>(bytes: ArrayBuffer, row: () => string): T {
  const body = strictText(bytes, row);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (error) {
    throw new StorageBroken(`The stored row of ${row()} is damaged: it is no JSON.`, { cause: error });
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as T;
  throw new StorageBroken(`The stored row of ${row()} is damaged: it is no JSON object.`);
}
