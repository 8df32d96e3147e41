/** HTML as a value: all inserted values are escaped, except those that are HTML already. */
import { printableLines } from './printable.ts';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type HtmlPart = string | number | null | Html | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.reduce((text, string, place) => text + written(parts[place - 1] ?? null) + string));
}

function written(part: HtmlPart): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(({ text }: Html) => text).join('');
  return printableLines(String(part)).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

/**
 * The path of a base address, which comes before every path of the sandbox: `/path` for `http://host/path`. Empty
 * without one.
 */
export const rootOf = (baseUrl: string): string =>
  URL.canParse(baseUrl) ? new URL(baseUrl).pathname.replace(/\/+$/, '') : '';

/**
 * Puts the root before the addresses in a page or a part of one, which begin with a slash. Text cannot look like such an
 * attribute, because its quotes are escaped.
 */
export const rooted = (page: string, root: string): string =>
  root === '' ? page : page.replace(/(\s(?:href|src|action|formaction)=")(?=\/(?!\/))/g, `$1${root}`);
