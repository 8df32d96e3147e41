/** What work costs in processor time of this process, and how that grows with its input: other processes make no difference. */

/** A round has as many runs as use this much, so that the clock of the kernel and a first compilation do not count. */
const ROUND_MS = 20;
const ROUNDS = 3;

const usedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Processor milliseconds of one run: the least of some rounds, because the collection of garbage falls on any of them. */
export async function costOf(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const begin = usedMs();
    let runs = 0;
    do {
      await work();
      runs += 1;
    } while (usedMs() - begin < ROUND_MS);
    least = Math.min(least, (usedMs() - begin) / runs);
  }
  return least;
}

/** How many times the cost is that of ten times the input. About 10: linear; about 100: quadratic. */
export const growthOf = async (work: (size: number) => unknown, size: number): Promise<number> =>
  (await costOf(() => work(10 * size))) / (await costOf(() => work(size)));

/** Between linear and quadratic. */
export const NEARLY_LINEAR = 35;
