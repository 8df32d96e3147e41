/** GitHub annotations on lines of a pull request. */

import { inRepository } from '../../base/repository.ts';

interface Annotated {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** GitHub shows about ten of each kind per step. */
export const MOST_ANNOTATIONS = 10;

/** A workflow command. Without a title GitHub shows the kind. */
export function annotation(
  kind: 'error' | 'warning',
  { title, text }: { readonly title?: string; readonly text: string },
  { file, line, column }: Annotated,
): string {
  // GitHub matches the path from the root of the repository.
  const properties = [
    `file=${property(inRepository(file))}`,
    `line=${line}`,
    ...(column === undefined ? [] : [`col=${column}`]),
    ...(title === undefined ? [] : [`title=${property(title)}`]),
  ];
  return `::${kind} ${properties.join(',')}::${data(text)}`;
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
