/** One simulated hour of 1,000 watches in a fast run, a position each 10 s with QoS 1, against the bare pipe: the same clients and broker in one process, and nothing done with what comes. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Aedes } from 'aedes';
import { idFrom } from '../src/base/ids.ts';
import { wire } from '../src/base/network/wire.ts';
import { realClock } from '../src/base/time/clocks.ts';
import { WATCH_ROOT } from '../src/contract/watch.ts';
import type { Link } from '../src/fleet/connection/link.ts';
import { mqttLinks } from '../src/fleet/connection/mqtt-link.ts';
import { bootStage } from '../src/sandbox/boot.ts';
import { runFile } from '../src/scenario/playing/run-file.ts';
import { figures } from './figures.ts';
import { measured } from './table.ts';

const WATCHES = 1_000;
const EACH = 360;
const ROUNDS = 3;
/** Of the bare pipe; beside it the sandbox moves the people, measures their places, and decides and commits what the watches say. */
const TARGETS: Readonly<Record<Pipe, number>> = { tcp: 0.6, wire: 0.4 };

const SCENARIO = `
scenario: An hour
seed: 1
site:
  name: Yard
  origin: [43.361, -8.412]
  zones: {Dock: {type: work_area, box: [0, 0, 400, 400]}}
crowd: {crew: {count: ${WATCHES}, in: Dock}}
steps:
  - mark: The hour begins
  - wait: 1h
  - mark: The hour is over
`;

interface Speed {
  /** Messages a second of wall time. */
  readonly perSecond: number;
  /** Of this process, clients and broker together; microseconds a message. */
  readonly cpuUs: number;
}

function stopwatch(): () => Speed {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    const seconds = (performance.now() - begun) / 1_000;
    return { perSecond: (WATCHES * EACH) / seconds, cpuUs: (user + system) / (WATCHES * EACH) };
  };
}

async function ours(): Promise<Speed> {
  let fixes = 0;
  let measure: (() => Speed) | null = null;
  let speed: Speed | null = null;
  const result = await runFile('hour.scenario.yaml', {
    mode: 'fast',
    read: () => SCENARIO,
    sink: (notice) => {
      if (notice.kind !== 'mark') return;
      if (measure === null) measure = stopwatch();
      else speed = measure();
    },
    boot: async (request) => {
      const stage = await bootStage(request);
      stage.onFix(() => {
        fixes += 1;
      });
      return stage;
    },
  });
  if (speed === null) throw new Error(result.mistakes ?? result.error?.message ?? 'the hour failed');
  if (fixes < WATCHES * EACH) throw new Error(`only ${fixes} positions came`);
  return speed;
}

/** Over TCP, as any client and broker of one machine meet; or over the wire that the sandbox puts in its place. */
type Pipe = 'tcp' | 'wire';

async function bare(pipe: Pipe): Promise<Speed> {
  const aedes = await Aedes.createBroker({ authorizePublish: (_client, _packet, callback) => callback(null) });
  const server = createServer({ noDelay: true }, aedes.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clock = realClock({});
  const connect = () => {
    const [watch, service] = wire();
    aedes.handle(service);
    return watch;
  };
  const broker = pipe === 'wire' ? { connect } : { url: `mqtt://127.0.0.1:${port}` };
  const dial = mqttLinks({ clock, broker });
  const siteId = idFrom('bench', 'site');
  const links = await Promise.all(
    Array.from(
      { length: WATCHES },
      (_, n) =>
        new Promise<Link>((up, down) => {
          const link = dial(
            { serial: `B-${n}`, key: 'key', siteId, will: Buffer.from('{}') },
            { linkUp: () => up(link), linkReceived: () => {}, linkDown: (why) => down(new Error(why)) },
          );
        }),
    ),
  );
  const measure = stopwatch();
  for (let round = 1; round <= EACH; round++)
    await Promise.all(
      links.map(
        (link, n) =>
          new Promise<void>((sent) => {
            const fix = { lat: 43.36123, lon: -8.41234, uncertainty_m: 3, source: 'gps', worn: 'on' };
            const text = JSON.stringify({ session: 1, seq: round, t: '2026-10-05T06:00:00.000Z', ...fix });
            link.send(`${WATCH_ROOT}/${siteId}/B-${n}/up/position`, text, 1, false, sent);
          }),
      ),
    );
  const speed = measure();
  for (const link of links) link.leave();
  await new Promise<void>((closed) => aedes.close(() => closed()));
  server.close();
  clock.stop();
  return speed;
}

export async function benchLockstep(): Promise<void> {
  const [our, tcp, within]: [Speed[], Speed[], Speed[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    tcp.push(await bare('tcp'));
    within.push(await bare('wire'));
    our.push(await ours());
  }
  const median = (speeds: readonly Speed[], what: keyof Speed) => figures(speeds.map((one) => one[what])).median;
  const value = median(our, 'perSecond');
  const what = `messages of ${WATCHES} watches in a fast run`;
  for (const [pipe, speeds, named] of [
    ['tcp', tcp, 'the bare pipe over TCP'],
    ['wire', within, 'the bare pipe within the process'],
  ] as const) {
    const least = TARGETS[pipe];
    const bareSpeed = median(speeds, 'perSecond');
    measured({ what: `${what}, against ${named}`, value, unit: '/s', bare: bareSpeed, aim: { of: 'times', least } });
    const share = value / bareSpeed;
    console.log(
      `${what}, a simulated hour in ${((WATCHES * EACH) / value).toFixed(1)} s: ${value.toFixed(0)}/s against ${bareSpeed.toFixed(0)}/s of ${named} = ${(share * 100).toFixed(0)} % (${share >= least ? 'at least' : 'UNDER'} ${least * 100} %); CPU a message ${median(our, 'cpuUs').toFixed(1)} against ${median(speeds, 'cpuUs').toFixed(1)} µs`,
    );
  }
}
