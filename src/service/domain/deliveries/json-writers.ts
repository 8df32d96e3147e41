/** How common libraries write JSON. A receiver that serializes parsed JSON again signs other bytes than those that it received. */

interface JsonLayout {
  readonly item?: string;
  readonly colon?: string;
  readonly sorted?: boolean;
  /** Spaces for each level; 0 for one line. */
  readonly indent?: number;
  readonly text?: (quoted: string) => string;
}

const hex4 = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0');
const escaping =
  (which: RegExp, upper = false) =>
  (quoted: string) =>
    quoted.replace(which, (one) => `\\u${upper ? hex4(one).toUpperCase() : hex4(one)}`);

const ascii = escaping(/[\u007f-\uffff]/g);
const slashes = (quoted: string): string => quoted.replaceAll('/', '\\/');
const ofGo = escaping(/[<>&\u2028\u2029]/g);
const ofGson = escaping(/[<>&='\u2028\u2029]/g);
const ofDotnet = (quoted: string): string =>
  escaping(/[<>&'+`\u007f-\uffff]/g, true)(quoted.replaceAll('\\"', '\\u0022'));

function written(value: unknown, layout: JsonLayout, level = 0): string {
  const { item = ',', colon = ':', sorted = false, indent = 0, text = (quoted: string) => quoted } = layout;
  if (typeof value === 'string') return text(JSON.stringify(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value);
  const parts = Array.isArray(value)
    ? value.map((one) => written(one, layout, level + 1))
    : (sorted ? keys.sort() : keys).map(
        (name) =>
          `${text(JSON.stringify(name))}${colon}${written((value as Record<string, unknown>)[name], layout, level + 1)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0 || indent === 0) return `${open}${parts.join(item)}${close}`;
  const [inner, outer] = [level + 1, level].map((depth) => `\n${' '.repeat(indent * depth)}`);
  return `${open}${inner}${parts.join(`,${inner}`)}${outer}${close}`;
}

const SPACED = { item: ', ', colon: ': ' } as const;

const LAYOUTS: readonly (readonly [name: string, layout: JsonLayout])[] = [
  ['JSON.stringify', {}],
  ["Python's json.dumps", { ...SPACED, text: ascii }],
  ["Python's json.dumps, ensure_ascii=False", SPACED],
  ["Python's json.dumps, compact", { text: ascii }],
  ["Python's json.dumps, sort_keys", { ...SPACED, sorted: true, text: ascii }],
  ["Python's json.dumps, sort_keys and compact", { sorted: true, text: ascii }],
  ['with sorted keys', { sorted: true }],
  ["PHP's json_encode", { text: (quoted) => slashes(ascii(quoted)) }],
  ["PHP's json_encode, JSON_UNESCAPED_UNICODE", { text: slashes }],
  ["Go's json.Marshal of a struct", { text: ofGo }],
  ["Go's json.Marshal of a map", { sorted: true, text: ofGo }],
  ["Java's Gson", { text: ofGson }],
  ['System.Text.Json of .NET', { text: ofDotnet }],
  ['indented by 1', { colon: ': ', indent: 1 }],
  ['indented by 2', { colon: ': ', indent: 2 }],
  ['indented by 4', { colon: ': ', indent: 4 }],
];

export const JSON_WRITERS: readonly { readonly name: string; readonly write: (value: unknown) => string }[] =
  LAYOUTS.map(([name, layout]) => ({ name, write: (value) => written(value, layout) }));
