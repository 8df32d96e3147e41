/** JSON that is text already: it is sent as it is, not parsed to be written again. */
export class Raw {
  readonly text: string | Buffer;
  constructor(text: string | Buffer) {
    this.text = text;
  }
}

const OPENING = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** `{"data": [...]` of items that are bytes already, and how it ends. */
export function rawList(items: readonly Buffer[], end = ']}'): Raw {
  const parts: Buffer[] = [OPENING];
  for (const item of items) parts.push(item, COMMA);
  // The comma behind the last one goes.
  if (items.length > 0) parts.pop();
  parts.push(Buffer.from(end));
  return new Raw(Buffer.concat(parts));
}
