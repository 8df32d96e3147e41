/** Tests that are skipped for a reason. Each reason is counted, and the last lines of a run print the counts: test/reporting/ */
import { describe, it, type SuiteFactory, type TestAPI, type TestFunction, type TestOptions, test } from 'vitest';
import { isAlone, ownMachine, type SkipReason } from './needs.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** All reasons that hold. */
    skipped?: readonly SkipReason[];
    /** It was declared with `ownMachine`; test/every-file.ts runs no other with ALONE=1. */
    alone?: true;
  }
}

type Row<T> = T extends readonly unknown[] ? [...T] : [T];

/** A part of vitest's own functions: what can be declared with or without a reason. */
interface Declaration<Run> {
  (title: string, run: Run): void;
  (title: string, options: TestOptions, run: Run): void;
}
interface DeclaredTest extends Declaration<TestFunction> {
  each: TestAPI['each'];
}
interface DeclaredGroup extends Declaration<SuiteFactory> {
  each: <T>(rows: readonly T[]) => Declaration<(...row: Row<T>) => void>;
}

export interface Declared {
  readonly test: DeclaredTest;
  readonly it: DeclaredTest;
  readonly describe: DeclaredGroup;
}

type Given = SkipReason | null | (() => SkipReason | null);

/**
 * `unless(withoutPostgres).describe(...)`: declared as it is where no reason holds, else as skipped for all that hold. A
 * reason that takes time to find out is a function, which is called where no reason before it holds.
 */
export function unless(...given: readonly Given[]): Declared {
  const reasons: SkipReason[] = [];
  const runsAlone = isAlone && given.includes(ownMachine);
  for (const one of given) {
    const reason = typeof one !== 'function' ? one : reasons.length > 0 ? null : one();
    if (reason !== null && !(runsAlone && reason === ownMachine)) reasons.push(reason);
  }
  if (reasons.length === 0 && !runsAlone) return { test, it, describe } as unknown as Declared;
  const marks = reasons.length === 0 ? { meta: { alone: true as const } } : { skip: true, meta: { skipped: reasons } };
  const declare = (own: unknown) => {
    const run = own as (title: string, options: TestOptions, run: unknown) => void;
    return (title: string, first: unknown, second?: unknown): void => {
      const [options, check] = typeof first === 'function' ? [{}, first] : [first as TestOptions, second];
      run(title, { ...options, ...marks }, check);
    };
  };
  const marked = (own: typeof test | typeof describe) =>
    Object.assign(declare(own), { each: (rows: readonly unknown[]) => declare(own.each(rows)) });
  return { test: marked(test), it: marked(it), describe: marked(describe) } as unknown as Declared;
}
