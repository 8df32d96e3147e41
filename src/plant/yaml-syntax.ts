/** Translates syntax errors of the YAML parser into plain sentences. */

/** The sentence for an error of the `yaml` package, from its code, its message, and the text that it concerns. */
export function syntaxSentence(code: string, words: string, text: string): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'A tab cannot indent. Write spaces.';
    case 'MULTIPLE_DOCS':
      return 'A file is one document. Delete this line and what follows, or put it into a file of its own.';
    case 'BAD_SCALAR_START':
      return `A text cannot begin with ${text.slice(0, 1)} unless it is in quotes. Put it in quotes.`;
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'There is a key inside a value here. Indent the line as its neighbours are, or put the value in quotes.';
    case 'MULTILINE_IMPLICIT_KEY':
      return 'A key is alone on its line. Write a colon after it.';
    case 'BAD_DQ_ESCAPE':
      return `${words.split(' ').at(-1)} is no escape. Write \\\\ for a backslash, or single quotes around the text.`;
    case 'RESOURCE_EXHAUSTION':
      return 'The file is nested too deeply to be read.';
    case 'UNEXPECTED_TOKEN':
      return 'This is not valid here. Check the indentation and the brackets of this line and the line before.';
  }
  return bracketSentence(words) ?? `${words.replace(/\.$/, '')}.`;
}

function bracketSentence(words: string): string | undefined {
  const close = /end with an? ([}\]])/.exec(words)?.[1];
  if (close !== undefined) return `A ${close === '}' ? '{' : '['} is not closed. Write ${close} where it ends.`;
  const quote = /Missing closing (.)quote/.exec(words)?.[1];
  if (quote !== undefined) return `A text in quotes does not end. Write ${quote} where it ends.`;
  if (words.startsWith('Implicit map keys need')) return 'A colon is missing. Write it after the key.';
  if (words.startsWith('All '))
    return 'The indentation of this line differs from its neighbours. Indent it in the same way.';
  return undefined;
}
