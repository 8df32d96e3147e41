/** The flags of `sandbox drill`. */
import type { MusterKind } from '../../contract/enumerations.ts';

export interface DrillFlags {
  readonly site?: string[];
  readonly compare?: string;
  readonly kind: MusterKind;
  readonly runs: number;
  readonly seed: string;
  readonly people?: number;
  readonly watches?: number;
  readonly exclude?: string[];
  readonly after: number;
  readonly limit: number;
  readonly jobs?: number;
  readonly json?: boolean;
  /** The share of a process of `--jobs`. */
  readonly share?: { readonly part: number; readonly of: number };
}
