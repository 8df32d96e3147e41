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
