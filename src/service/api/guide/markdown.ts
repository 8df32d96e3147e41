/** A page of Markdown as HTML: headings with anchors, tables that scroll, code with a language, and links between pages. */
import { Marked, type Tokens } from 'marked';
import { type Html, html, Html as RawHtml } from '../../../base/text/html.ts';
import { COLOUR_TOKENS, type ColourToken } from '../../../contract/resources/vocabulary.ts';
import { highlighted } from './highlight.ts';

interface GuideHeading {
  readonly depth: number;
  readonly text: string;
  readonly slug: string;
}

/** A part of a page below one heading, for the search. */
interface GuidePart {
  readonly heading: GuideHeading;
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly title: string;
  readonly body: Html;
  readonly headings: readonly GuideHeading[];
  readonly parts: readonly GuidePart[];
}

/**
 * The anchor of a title, as common Markdown viewers make it: lower case, hyphens for spaces, and only letters, digits,
 * `_` and `-`.
 */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** The label of a block's shell, for pages that have the same commands for two shells. */
const SHELLS: Readonly<Record<string, string>> = { sh: 'Linux, macOS', powershell: 'PowerShell' };

/** Maximum text of one part in the search index; characters. */
const PART_TEXT = 1_200;

/** `linkOf` turns a link of the Markdown into one of the guide. */
export function renderMarkdown(markdown: string, linkOf: (href: string) => string): RenderedMarkdown {
  const headings: GuideHeading[] = [];
  const marked = new Marked({ gfm: true });
  const slugs = new Map<string, number>();
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const text = plainText(tokens);
        const slug = uniqueSlug(slugs, slugOf(text));
        headings.push({ depth, text, slug });
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${slug}">${inner}</h1>\n`;
        return `<h${depth} id="${slug}">${inner} <a class="anchor" href="#${slug}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      table(token: Tokens.Table): string {
        const colours = token.header.findIndex(({ text }) => text === 'Colour');
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') => {
          const colour = COLOUR_TOKENS.find((one) => one === cells[colours]?.text);
          const swatch = (place: number) => (colour !== undefined && place === colours ? swatchOf(colour) : '');
          const texts = cells.map(({ tokens }, place) => swatch(place) + this.parser.parseInline(tokens));
          return `<tr>${texts.map((one) => `<${tag}>${one}</${tag}>`).join('')}</tr>`;
        };
        const hasHead = token.header.some(({ text }) => text.trim() !== '');
        const head = hasHead ? `<thead>${row(token.header, 'th')}</thead>` : '';
        const rows = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="table" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        return html`<a href="${linkOf(href)}">${new RawHtml(this.parser.parseInline(tokens))}</a>`.text;
      },
      image({ href, text }: Tokens.Image): string {
        return html`<img src="${linkOf(href)}" alt="${text}" loading="lazy">`.text;
      },
      code({ text, lang = '' }: Tokens.Code): string {
        return codeBlock(text, lang);
      },
      // The HTML of the pages is comments only, which determine how a test runs the next block.
      html: () => '',
    },
  });
  const tokens = marked.lexer(markdown).filter(({ type }) => type !== 'html' && type !== 'space');
  const body = withTabs(tokens as Tokens.Generic[], (some) => marked.parser(some as never));
  const parts = partsOf(tokens as Tokens.Generic[], headings);
  return { title: headings[0]?.text ?? '', body: new RawHtml(body), headings, parts };
}

/** The colour as pages have it, before its name. */
const swatchOf = (colour: ColourToken): string => `<i class="swatch ${colour}"></i> `;

function uniqueSlug(slugs: Map<string, number>, slug: string): string {
  const times = slugs.get(slug) ?? 0;
  slugs.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}

/** A block for one shell, directly followed by the same commands for another shell, becomes a pair of tabs. */
function withTabs(tokens: readonly Tokens.Generic[], parse: (tokens: Tokens.Generic[]) => string): string {
  const written: string[] = [];
  for (let n = 0; n < tokens.length; n += 1) {
    const pair = tokens.slice(n, n + 2);
    const [first, second] = pair.map((token) => (token.type === 'code' ? (token['lang'] as string) : ''));
    if (first === 'sh' && second === 'powershell') {
      written.push(`<div class="tabs">${pair.map(shellPanel).join('')}</div>\n`);
      n += 1;
    } else written.push(parse([tokens[n] as Tokens.Generic]));
  }
  return written.join('');
}

function shellPanel(token: Tokens.Generic): string {
  const shell = String(token['lang']);
  return `<div class="tab" data-shell="${shell}"><p class="shell">${SHELLS[shell]}</p>${codeBlock(String(token['text']), shell)}</div>`;
}

/** The output of a command gets no copy button. */
function codeBlock(text: string, language: string): string {
  const isOutput = language === 'text' || language === '';
  const code = highlighted(text, language);
  return html`<pre class="${isOutput ? 'output' : `code language-${language}`}" tabindex="0"><code>${code}</code></pre>`
    .text;
}

const plainText = (tokens: readonly Tokens.Generic[] = []): string =>
  tokens
    .map((token) => (token.tokens === undefined ? String(token['text'] ?? '') : plainText(token.tokens)))
    .join('')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');

function partsOf(tokens: readonly Tokens.Generic[], headings: readonly GuideHeading[]): GuidePart[] {
  const parts: { heading: GuideHeading; text: string }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') parts.push({ heading: headings[parts.length] as GuideHeading, text: '' });
    const part = parts.at(-1);
    if (part === undefined || token.type === 'heading' || part.text.length > PART_TEXT) continue;
    const text = token.raw
      .replace(/^\|[-|: ]+\|$/gm, '')
      .replace(/```\w*|[`*|]|\]\([^)]*\)|\[/g, ' ')
      .replace(/\s+/g, ' ');
    part.text = `${part.text} ${text}`.trim().slice(0, PART_TEXT);
  }
  return parts;
}
