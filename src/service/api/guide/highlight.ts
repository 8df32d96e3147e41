/** Colours of code on the pages of the guide: comments, strings and the words that begin a line of YAML or a command. */
import { Html, html } from '../../../base/text/html.ts';

const HASH_COMMENT = '(?:^|(?<=\\s))#[^\\n]*';
const SLASH_COMMENT = '//[^\\n]*|/\\*[\\s\\S]*?\\*/';
const STRING = '"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\'';

/** What is coloured in each language of the pages. Code in other languages is not coloured. */
const RULES: Readonly<Record<string, { comment: string; key?: string }>> = {
  sh: { comment: HASH_COMMENT, key: '^(?:[A-Z_]+=)?(?:npx|curl|node|npm|eval|export)\\b' },
  powershell: { comment: HASH_COMMENT, key: '\\$[a-z]\\w*|\\b[A-Z][a-z]+-[A-Z]\\w+' },
  yaml: { comment: HASH_COMMENT, key: '[\\w.$-]+(?=:(?:\\s|$))' },
  python: { comment: HASH_COMMENT, key: '\\b(?:def|return|import|from|if|for|in|is|not|or|and|None|True|False)\\b' },
  ruby: { comment: HASH_COMMENT, key: '\\b(?:def|end|module|require|return|if|unless|self)\\b' },
  json: { comment: '(?!)', key: '"(?:[^"\\\\\\n]|\\\\.)*"(?=:)' },
  ...Object.fromEntries(
    ['js', 'ts', 'typescript', 'java', 'csharp', 'go', 'php'].map((language) => [
      language,
      {
        comment: SLASH_COMMENT,
        key: '\\b(?:import|export|from|const|let|async|await|function|func|return|if|for|of|new|public|private|static|using|namespace|package|class|var|foreach)\\b',
      },
    ]),
  ),
};

export function highlighted(text: string, language: string): Html {
  const rule = RULES[language];
  if (rule === undefined) return html`${text}`;
  const key = rule.key ?? '(?!)';
  const pattern = new RegExp(`(${rule.comment})|(${key})|(${STRING})`, 'gm');
  let written = '';
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, comment, word] = match;
    const kind = comment !== undefined ? 'c' : word !== undefined ? 'k' : 's';
    written += html`${text.slice(last, match.index)}<span class="${kind}">${whole}</span>`.text;
    last = match.index + whole.length;
  }
  return new Html(written + html`${text.slice(last)}`.text);
}
