/** GitHub annotations on lines of a pull request. */

interface Annotated {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** GitHub shows about ten of each kind per step. */
export const MOST_ANNOTATIONS = 10;

/** A workflow command; the first line of a multi-line text is its title. */
export function annotation(kind: 'error' | 'warning', text: string, { file, line, column }: Annotated): string {
  const [title = '', ...rest] = text.split('\n');
  const place = [`file=${property(file)}`, `line=${line}`, ...(column === undefined ? [] : [`col=${column}`])];
  const properties = rest.length === 0 ? place : [...place, `title=${property(title)}`];
  return `::${kind} ${properties.join(',')}::${data(rest.length === 0 ? title : rest.map((one) => one.trim()).join('\n'))}`;
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
