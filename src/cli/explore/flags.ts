/** The flags of `sandbox explore`. */

export interface ExploreFlags {
  readonly seed: string;
  readonly runs?: number;
  readonly minutes?: number;
  readonly recheck?: boolean;
  readonly jobs?: number;
  readonly out?: string;
  /** Folder of the running sandbox to which a system with `url:` is reset. */
  readonly dataDir: string;
  readonly json?: boolean;
  /** The share of a process of `--jobs`. */
  readonly share?: { readonly part: number; readonly of: number };
}
