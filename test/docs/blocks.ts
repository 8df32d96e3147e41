/** Code blocks of a page, with how each is run: a comment before a block says so where it is not what its language says. */

/**
 * `shell`: a user's terminal, in the page's folder. `until TEXT`: the same, left running once it printed the text.
 * `save NAME`: a file of the page's folder. `recipe PATH`: lines of that file of `examples/testing`. `module`: a program of Node. `needs TOOL`: a terminal, where that is installed.
 * `prints`: lines of the output of the block above. `not REASON`: it cannot be run here.
 */
export type HowToRun =
  | { readonly how: 'shell' | 'module' | 'data' | 'prints' }
  | { readonly how: 'until' | 'save' | 'recipe' | 'needs' | 'not'; readonly what: string };

export interface CodeBlock {
  readonly line: number;
  readonly language: string;
  readonly text: string;
  readonly run: HowToRun;
}

const BY_LANGUAGE: Readonly<Record<string, HowToRun>> = {
  sh: { how: 'shell' },
  js: { how: 'module' },
  ts: { how: 'module' },
  json: { how: 'data' },
  // The same commands for another shell; their names and flags are checked with those of all pages.
  powershell: { how: 'not', what: 'output' },
  // What a command prints.
  text: { how: 'not', what: 'output' },
  '': { how: 'not', what: 'output' },
};

/** A block in a language that nothing says how to run is a mistake of the page. */
export function blocksOf(markdown: string, page: string): CodeBlock[] {
  const lines = markdown.split('\n');
  const blocks: CodeBlock[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const [, language] = /^```(\w*)$/.exec(lines[i] ?? '') ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf('```', i + 1);
    const [, wish] = /^<!-- run: (.+) -->$/.exec(lines[i - 1] ?? '') ?? [];
    const run = wish === undefined ? BY_LANGUAGE[language] : readWish(wish);
    if (run === undefined) throw new Error(`${page}:${i + 1}: nothing says how a block of "${language}" is run`);
    blocks.push({ line: i + 1, language, text: lines.slice(i + 1, end).join('\n'), run });
    i = end;
  }
  return blocks;
}

function readWish(wish: string): HowToRun {
  const [how = '', ...words] = wish.split(' ');
  if (how === 'prints') return { how };
  if (how === 'until' || how === 'save' || how === 'recipe' || how === 'needs' || how === 'not')
    return { how, what: words.join(' ') };
  throw new Error(`Unknown way to run a block: ${wish}`);
}

/**
 * The lines that a page shows and a command did not print. Numbers may have other digits, an id or a secret other characters,
 * and "…" stands for anything; lines may be left out.
 */
export function unprinted(shown: string, printed: string): string[] {
  return shown.split('\n').filter((line) => !new RegExp(`^\\s*${patternOf(line.trim())}\\s*$`, 'm').test(printed));
}

const patternOf = (line: string): string =>
  line
    .split('…')
    .map((part) =>
      part
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+| +/g, (part) =>
          part.length === 36 ? '[0-9a-f-]{36}' : part.startsWith(' ') ? ' +' : '\\d+',
        ),
    )
    .join('.*');
