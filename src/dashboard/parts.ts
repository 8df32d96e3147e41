/** The parts of an open dashboard. They start in order and stop in reverse, so that the terminal is restored after any failure. They are synchronous, unlike those of a sandbox, because an exit handler cannot wait. */

export interface DashboardPart {
  readonly name: string;
  start(): void;
  stop(): void;
}

/**
 * If a start throws, the parts before it are stopped. Returns an idempotent stop function, which continues if a part
 * throws.
 */
export function openParts(parts: readonly DashboardPart[]): () => void {
  const running: DashboardPart[] = [];
  const stop = (): void => {
    const failures: Error[] = [];
    for (let part = running.pop(); part !== undefined; part = running.pop())
      try {
        part.stop();
      } catch (cause) {
        failures.push(new Error(`The dashboard's ${part.name} did not stop.`, { cause }));
      }
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
  };
  for (const part of parts)
    try {
      part.start();
      running.push(part);
    } catch (error) {
      stop();
      throw error;
    }
  return stop;
}
