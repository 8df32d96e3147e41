/** Tag expressions: `tag:smoke and not (tag:slow or tag:night)`. [scenario-language, Command line] */

import { isSameName } from '../../base/text/same-name.ts';
import { quoted } from '../../contract/sentences.ts';
import { usage } from '../output.ts';

const TAG = 'tag:';

/** A parsed expression. A single tag, such as `tag:smoke`, is an expression too. */
interface TagExpression {
  /** The tags in the expression, in the order of the text. */
  readonly tags: readonly string[];
  /** True if the expression selects a scenario with these tags. */
  selects(tags: readonly unknown[]): boolean;
}

/** True if a word of a command line is an expression, and not a file, a folder or a name. */
export const isTagExpression = (word: string): boolean => /^(?:\(|\s|not\s)*tag:/.test(word);

type Selects = TagExpression['selects'];

/** Reads an expression: `not` binds more tightly than `and`, and `and` more than `or`. Throws a usage error for another text. */
export function readTagExpression(text: string): TagExpression {
  const words = text.match(/[()]|[^\s()]+/g) ?? [];
  const tags: string[] = [];
  let place = 0;
  const fail = (expected: string): never => {
    const found = place < words.length ? `${quoted(words[place] ?? '')} is no ${expected}` : `${expected} is missing`;
    const sentence = place < words.length ? found : `A ${found} at the end`;
    throw usage(`${quoted(text)}: ${sentence}.`, 'Write, for example, "tag:smoke and not (tag:slow or tag:night)".');
  };
  const takes = (word: string): boolean => words[place] === word && ++place > 0;
  const one = (): Selects => {
    if (takes('not')) {
      const selects = one();
      return (given) => !selects(given);
    }
    if (takes('(')) {
      const selects = any();
      if (!takes(')')) fail('closing parenthesis');
      return selects;
    }
    const word = words[place] ?? '';
    const tag = word.slice(TAG.length);
    if (!word.startsWith(TAG) || tag === '') fail('tag');
    place++;
    tags.push(tag);
    return (given) => given.some((one) => typeof one === 'string' && isSameName(one, tag));
  };
  const all = (): Selects => {
    const parts = [one()];
    while (takes('and')) parts.push(one());
    return (given) => parts.every((selects) => selects(given));
  };
  const any = (): Selects => {
    const parts = [all()];
    while (takes('or')) parts.push(all());
    return (given) => parts.some((selects) => selects(given));
  };
  const selects = any();
  if (place < words.length) fail('"and" or "or"');
  return { tags, selects };
}
