/** From the socket to the engine: positions with QoS 1, schema checked and their turn over before the PUBACK, against bare aedes and the same clients. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { figures } from './figures.ts';
import { measured } from './table.ts';

const ROUNDS = 3;

/** How many watches, and how many messages of each wait for their PUBACK. A watch says one thing after another. */
interface Load {
  readonly watches: number;
  readonly window: number;
}

const TARGET = 0.6;

const LOADS: readonly Load[] = [
  { watches: 500, window: 1 },
  // Many in one piece cost aedes next to nothing, since it makes no use of them: the harder one.
  { watches: 50, window: 10 },
];
const SECONDS = 4;
const WARM_UP = 2;

interface Measured {
  readonly perSecond: number;
  /** Of the broker, microseconds a message. */
  readonly brokerUs: number;
  readonly clientUs: number;
}

/** A child that answers each JSON line with one of its own. */
class Child {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(args: readonly string[]) {
    this.#process = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#process.stdout === null) throw new Error('no stdout');
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  // biome-ignore lint/suspicious/noExplicitAny: our own children
  async line(): Promise<any> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('the child ended without a word');
    return JSON.parse(value);
  }

  tell(text: string): void {
    this.#process.stdin?.write(`${text}\n`);
  }

  end(text: string): void {
    this.#process.stdin?.end(text);
  }
}

async function measure(which: 'bare' | 'ours', { watches, window }: Load): Promise<Measured> {
  const broker = new Child(['--import', 'tsx', join(import.meta.dirname, 'broker-under-load.ts'), which, `${watches}`]);
  const started = await broker.line();
  const load = new Child([join(import.meta.dirname, 'mqtt-load.mjs')]);
  load.end(JSON.stringify({ ...started, window, seconds: SECONDS, warmUp: WARM_UP }));
  await load.line();
  broker.tell('cpu');
  await broker.line();
  const { perSecond, count, cpuUs } = await load.line();
  broker.tell('cpu');
  const { cpuUs: used } = await broker.line();
  broker.tell('stop');
  return { perSecond, brokerUs: used / count, clientUs: cpuUs };
}

export async function benchBroker(): Promise<void> {
  for (const load of LOADS) await compare(load);
}

async function compare(load: Load): Promise<void> {
  const rounds: Record<'bare' | 'ours', Measured[]> = { bare: [], ours: [] };
  // Taken in turns, so that a machine that is busy for a while is busy for both.
  for (let round = 0; round < ROUNDS; round++)
    for (const which of ['bare', 'ours'] as const) rounds[which].push(await measure(which, load));
  const [ours, bare] = (['ours', 'bare'] as const).map((which) => {
    const median = (what: keyof Measured) => figures(rounds[which].map((one) => one[what])).median;
    return { perSecond: median('perSecond'), brokerUs: median('brokerUs'), clientUs: median('clientUs') };
  }) as [Measured, Measured];
  const share = ours.perSecond / bare.perSecond;
  measured({
    what: `QoS 1 to the engine, ${load.watches} watches, ${load.window} at a time`,
    value: ours.perSecond,
    unit: '/s',
    bare: bare.perSecond,
    aim: { of: 'times', least: TARGET },
  });
  const judgement = `${share >= TARGET ? 'at least' : 'UNDER'} ${TARGET * 100} %`;
  console.log(
    `broker to engine, QoS 1, ${load.watches} watches, ${load.window} at a time: ${ours.perSecond.toFixed(0)}/s against ${bare.perSecond.toFixed(0)}/s of bare aedes = ${(share * 100).toFixed(0)} % (${judgement}); CPU a message ${ours.brokerUs.toFixed(1)} against ${bare.brokerUs.toFixed(1)} µs`,
  );
}
