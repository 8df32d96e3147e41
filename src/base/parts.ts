/** An ordered start: parts are started in sequence, each with the parts before it, and stopped in reverse order. */
import { assert } from './assert.ts';

/** One step of a start. `All` lists what each part is once it has been started, by name. */
export interface Part<All, Name extends keyof All, Needs extends keyof All> {
  readonly name: Name;
  /** Parts that are started before it; `start` and `stop` get these and no others. */
  readonly needs: readonly Needs[];
  /** Why it has this position, when `needs` alone would allow another. */
  readonly because?: string;
  start(parts: Pick<All, Needs>): All[Name] | Promise<All[Name]>;
  /** Must tolerate a part that has already ended. */
  stop?(started: All[Name], parts: Pick<All, Needs>): unknown;
}

/** A part of some name: how a list holds them. */
export interface AnyPart<All> {
  readonly name: keyof All;
  readonly needs: readonly (keyof All)[];
  readonly because?: string;
  start(parts: All): unknown;
  stop?(started: unknown, parts: All): unknown;
}

/** Declares parts of one house: `const part = partOf<SandboxParts>()`. */
export const partOf =
  <All>() =>
  <Name extends keyof All, Needs extends keyof All = never>(part: Part<All, Name, Needs>): AnyPart<All> =>
    part as unknown as AnyPart<All>;

/** Parts that were started, and the one call that stops them. */
export interface Started<All> {
  readonly parts: All;
  /** In reverse order of the start; idempotent: a second call waits for the first. Rejects with the first error, after all parts were stopped. */
  stop(): Promise<void>;
}

/**
 * Starts the parts in the order of the list. Where one fails, those already started are stopped and its error is
 * rethrown. `given` stands before the first part and is not stopped.
 */
export async function startParts<All extends object>(
  list: readonly AnyPart<All>[],
  given: Partial<All> = {},
): Promise<Started<All>> {
  const parts = { ...given } as All;
  const started: AnyPart<All>[] = [];
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopping ??= stopAll(started, parts);
    return stopping;
  };
  try {
    for (const part of list) {
      const missing = part.needs.find((name) => !(name in parts));
      assert(missing === undefined, () => `${String(part.name)} needs ${String(missing)}, which comes later.`);
      parts[part.name] = (await part.start(parts)) as All[keyof All];
      started.push(part);
    }
  } catch (error) {
    // The caller must get the first error.
    await stop().catch(() => {});
    throw error;
  }
  return { parts, stop };
}

async function stopAll<All extends object>(started: readonly AnyPart<All>[], parts: All): Promise<void> {
  const errors: unknown[] = [];
  for (const part of started.toReversed())
    try {
      await part.stop?.(parts[part.name], parts);
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
}
