/** JSON that is text already: it is sent as it is, not parsed to be written again. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
