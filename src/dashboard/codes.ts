/** The ids of workers as a frame displays them: short, and different for any two workers. */
import { cellsOf, clean, cutMiddle, inAscii } from './terminal/cells.ts';

interface WorkerId {
  readonly id: string;
  readonly external_id: string | null;
}

export interface Codes {
  /** Cells that the longest code needs. */
  readonly width: number;
  /** Returns the code for the id of a worker. */
  readonly of: (id: string) => string;
}

/** Maximum number of cells of a code before it is shortened. */
const USUAL = 9;
/** Digits of the worker's id that distinguish equal codes. */
const DIGITS = 4;

/**
 * Returns the worker's code in the staff system, else the id. Codes are shortened in the middle to the smallest width
 * at which all differ.
 */
export function codesOf(workers: Iterable<WorkerId>, { isAscii, dots }: { isAscii: boolean; dots: string }): Codes {
  const full = new Map<string, string>();
  for (const { id, external_id } of workers) {
    const code = clean(external_id ?? id).trim();
    full.set(id, (isAscii ? inAscii(code) : code) || id);
  }
  distinguish(full);
  const widest = Math.max(0, ...new Set([...full.values()].map(cellsOf)));
  let shown = full;
  for (let width = USUAL; width < widest; width += 1) {
    shown = new Map([...full].map(([id, code]) => [id, cutMiddle(code, width, dots)]));
    if (new Set(shown.values()).size === full.size) break;
    shown = full;
  }
  const width = Math.max(1, ...new Set([...shown.values()].map(cellsOf)));
  return { width, of: (id) => shown.get(id) ?? cutMiddle(id, USUAL, dots) };
}

const known = new WeakMap<ReadonlyMap<string, unknown>, Map<string, Codes>>();

/**
 * Returns the codes of a site. Memoised by the map of workers, which the stream replaces when a worker changes;
 * `others`: workers that this map may lack.
 */
export function siteCodes(
  workers: ReadonlyMap<string, WorkerId & { readonly site_id: string }>,
  siteId: string | null,
  others: readonly WorkerId[],
  look: { readonly isAscii: boolean; readonly dots: string },
): Codes {
  const own = [...workers.values()].filter(({ site_id }) => site_id === siteId);
  const missing = others.filter(({ id }) => workers.get(id)?.site_id !== siteId);
  if (missing.length > 0) return codesOf([...own, ...missing], look);
  const byLook = known.get(workers) ?? new Map<string, Codes>();
  known.set(workers, byLook);
  const key = `${siteId} ${look.isAscii} ${look.dots}`;
  const codes = byLook.get(key) ?? codesOf(own, look);
  byLook.set(key, codes);
  return codes;
}

/** Adds digits of the worker's id to equal codes, as many as are needed to make them different. */
function distinguish(full: Map<string, string>): void {
  const byCode = new Map<string, string[]>();
  for (const [id, code] of full) {
    const ids = byCode.get(code);
    if (ids === undefined) byCode.set(code, [id]);
    else ids.push(id);
  }
  for (const [code, ids] of byCode) {
    if (ids.length < 2) continue;
    let digits = DIGITS;
    while (digits < 36 && new Set(ids.map((id) => id.slice(-digits))).size < ids.length) digits += DIGITS;
    for (const id of ids) full.set(id, `${code}~${id.slice(-digits)}`);
  }
}
