/** What a serialised list is made of. */
interface RawPage {
  /** Buffers are those that are kept for many answers. */
  readonly items: readonly (string | Buffer)[];
  /** The ids of events, whose texts never change. */
  readonly ids?: readonly string[];
  /** Undefined: the list has no pages. */
  readonly nextCursor: string | null | undefined;
}

/** A body that is already serialised as JSON. */
export class Raw {
  readonly text: string | Buffer;
  /** Null if it is not a list of serialised items. */
  readonly page: RawPage | null;
  constructor(text: string | Buffer, page: RawPage | null = null) {
    this.text = text;
    this.page = page;
  }
}

const OPENING = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** The text of a list of serialised items. `nextCursor` undefined: the list has no pages. */
export function rawList(items: readonly Buffer[], nextCursor?: string | null): Raw {
  const parts: Buffer[] = [OPENING];
  for (const item of items) parts.push(item, COMMA);
  // Drops the last comma.
  if (items.length > 0) parts.pop();
  parts.push(Buffer.from(nextCursor === undefined ? ']}' : `],"next_cursor":${JSON.stringify(nextCursor)}}`));
  return new Raw(Buffer.concat(parts), { items, nextCursor });
}
