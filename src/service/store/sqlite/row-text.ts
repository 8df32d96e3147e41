/** Reads text columns as bytes and validates them, so that damage is reported and never decoded silently. */
import { StorageBroken } from '../../engine/store-port.ts';

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws `StorageBroken` for invalid UTF-8. `row` names the row in the message. */
export function strictText(bytes: ArrayBuffer, row: () => string): string {
  try {
    return STRICT.decode(bytes);
  } catch (error) {
    throw new StorageBroken(`The stored row of ${row()} is damaged: it is not UTF-8.`, { cause: error });
  }
}

/** For a message about the row: invalid UTF-8 becomes replacement characters. */
export const looseText = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('utf8');

/** Throws `StorageBroken` unless the bytes are a JSON object. */
export function parseBody<T extends object>(bytes: ArrayBuffer, row: () => string): T {
  const body = strictText(bytes, row);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (error) {
    throw new StorageBroken(`The stored row of ${row()} is damaged: it is not JSON.`, { cause: error });
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as T;
  throw new StorageBroken(`The stored row of ${row()} is damaged: it is not a JSON object.`);
}
