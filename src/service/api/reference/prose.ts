/** The subset of Markdown in descriptions, as HTML: headings, paragraphs, lists, code, bold, and links within the sandbox. */
import { Html, html } from '../../../base/text/html.ts';

/** Blocks are separated by blank lines; a list is a block whose lines begin with a dash. */
export function prose(text: string): Html {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== '');
  return html`${blocks.map(block)}`;
}

function block(text: string): Html {
  if (text.startsWith('## ')) {
    const title = text.slice(3);
    return html`<h2 id="${title.toLowerCase().replaceAll(' ', '-')}">${title}</h2>`;
  }
  if (text.startsWith('- '))
    return html`<ul>${text.split('\n').map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`;
  return html`<p>${inline(text)}</p>`;
}

/** Inline markup. */
export function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\(\/[^)]*\))/);
  return html`${parts.map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
    const [, words, to] = /^\[([^\]]+)\]\((\/[^)]*)\)$/.exec(part) ?? [];
    return words === undefined ? html`${part}` : html`<a href="${to ?? ''}">${words}</a>`;
  })}`;
}

/** A list of scalars, such as coordinates. */
const SMALL_LIST = /\[\n\s+([^[\]{}]{1,160}?)\n\s+\]/g;
const onOneLine = (list: string, inner: string): string => {
  const line = `[${inner.replace(/\n\s+/g, ' ')}]`;
  return line.length <= 60 ? line : list;
};

/** JSON with coloured keys, strings and other values. */
export function code(value: unknown): Html {
  const text = JSON.stringify(value, null, 2).replace(SMALL_LIST, onOneLine);
  const parts = text.split(/("(?:[^"\\]|\\.)*"(?:: )?)/);
  return new Html(
    parts
      .map((part) => {
        const { text: escaped } = html`${part}`;
        if (!part.startsWith('"')) return escaped.replace(/-?\d[\d.e+-]*|true|false|null/g, '<i>$&</i>');
        return part.endsWith(': ') ? `<b>${escaped.slice(0, -2)}</b>: ` : `<s>${escaped}</s>`;
      })
      .join(''),
  );
}
