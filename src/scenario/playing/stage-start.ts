/** An ordered start: parts are started in sequence, each with the parts before it, and stopped in reverse order. */
import { assert } from '../../base/assert.ts';

/** One step of a start. `All` maps the name of each part to its type once it is started. */
export interface Part<All, Name extends keyof All, Needs extends keyof All> {
  readonly name: Name;
  /** Parts that are started before it. `start` and `stop` get only these. */
  readonly needs: readonly Needs[];
  /** The reason for its position, if `needs` alone would allow another one. */
  readonly because?: string;
  start(parts: Pick<All, Needs>): All[Name] | Promise<All[Name]>;
  /** Must tolerate a part that has already ended. */
  stop?(started: All[Name], parts: Pick<All, Needs>): unknown;
}

/** A part of any name, as a list contains it. */
export interface AnyPart<All> {
  readonly name: keyof All;
  readonly needs: readonly (keyof All)[];
  readonly because?: string;
  start(parts: All): unknown;
  stop?(started: unknown, parts: All): unknown;
}

/** Declares the parts of one program: `const piece = partOf<StagePieces>()`. */
export const partOf =
  <All>() =>
  <Name extends keyof All, Needs extends keyof All = never>(part: Part<All, Name, Needs>): AnyPart<All> =>
    part as unknown as AnyPart<All>;

/** The started parts, and the function that stops them. */
export interface Started<All> {
  readonly parts: All;
  /**
   * Stops in reverse order of the start. Idempotent: a second call waits for the first. Rejects with the first error,
   * after all parts were stopped.
   */
  stop(): Promise<void>;
}

/**
 * Starts the parts in the order of the list. If one fails, those already started are stopped, and its error is
 * rethrown. `given` contains parts that exist before the first one and are not stopped.
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
