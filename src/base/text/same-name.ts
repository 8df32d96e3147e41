/** Names in Unicode NFC: two texts that look the same are one name, however they were typed. Each keeps its own spelling. */

const ASCII = /^[\0-\x7f]*$/;

export const isAscii = (text: string): boolean => ASCII.test(text);

/** The form in which names are compared. */
export const nameForm = (name: string): string => (isAscii(name) ? name : name.normalize('NFC'));

export const isSameName = (one: string, other: string): boolean => one === other || nameForm(one) === nameForm(other);

/** The known name that is the same, in its own spelling; the text itself if none is. */
export function declaredName(names: Iterable<string>, text: string): string {
  if (isAscii(text)) return text;
  for (const name of names) if (isSameName(name, text)) return name;
  return text;
}

/** Keys whose values are names that other places of a file repeat. All keys of a file can be names themselves. */
const NAMING: readonly string[] = ['name', 'contractor', 'external_id', 'permit', 'reference'];

/**
 * The value, in which each text that is a name has the spelling of its declaration. Names are the keys of maps and the
 * values of `NAMING` in `declaring`.
 */
export function withOneSpelling(value: unknown, declaring: unknown = value): unknown {
  const spellings = new Map<string, string>();
  learn(declaring, spellings);
  return spellings.size === 0 ? value : respelled(value, spellings);
}

function learn(value: unknown, spellings: Map<string, string>): void {
  const add = (name: unknown): void => {
    if (typeof name !== 'string' || isAscii(name) || spellings.has(nameForm(name))) return;
    spellings.set(nameForm(name), name);
  };
  if (Array.isArray(value)) for (const item of value) learn(item, spellings);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      add(key);
      if (NAMING.includes(key)) add(item);
      learn(item, spellings);
    }
}

function respelled(value: unknown, spellings: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return isAscii(value) ? value : (spellings.get(nameForm(value)) ?? value);
  if (Array.isArray(value)) return value.map((item) => respelled(item, spellings));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [respelled(key, spellings), respelled(item, spellings)]),
  );
}
