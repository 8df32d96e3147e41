/** A body that is JSON text already. */
export class Raw {
  readonly text: string | Buffer;
  constructor(text: string | Buffer) {
    this.text = text;
  }
}

const OPENING = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** `{"data": [...]` of serialised items; `end` closes it. */
export function rawList(items: readonly Buffer[], end = ']}'): Raw {
  const parts: Buffer[] = [OPENING];
  for (const item of items) parts.push(item, COMMA);
  // Drops the last comma.
  if (items.length > 0) parts.pop();
  parts.push(Buffer.from(end));
  return new Raw(Buffer.concat(parts));
}
