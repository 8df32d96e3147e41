/** A body that is already serialised as JSON. */
export class Raw {
  readonly text: string | Buffer;
  constructor(text: string | Buffer) {
    this.text = text;
  }
}

const OPENING = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** The text of a list of serialised items: `{"data": [...`, then `end`, which closes the list and the object. */
export function rawList(items: readonly Buffer[], end = ']}'): Raw {
  const parts: Buffer[] = [OPENING];
  for (const item of items) parts.push(item, COMMA);
  // Drops the last comma.
  if (items.length > 0) parts.pop();
  parts.push(Buffer.from(end));
  return new Raw(Buffer.concat(parts));
}
