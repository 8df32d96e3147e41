/** One simulated hour of 1,000 watches in a fast run, a position each 10 s with QoS 1, against the bare pipe: the same clients and broker in one process, and nothing done with what comes. */
import { Aedes } from 'aedes';
import { realClock } from '../src/base/clock.ts';
import { idFrom } from '../src/base/ids.ts';
import { wire } from '../src/base/wire.ts';
import { WATCH_ROOT } from '../src/contract/watch.ts';
import type { Link } from '../src/fleet/link.ts';
import { mqttLinks } from '../src/fleet/mqtt-link.ts';
import { bootStage } from '../src/sandbox/boot.ts';
import { runFile } from '../src/scenario/playing/run-file.ts';
import { figures } from './figures.ts';
import { measured } from './table.ts';

const WATCHES = 1_000;
const EACH = 360;
const ROUNDS = 3;
const TARGET = 0.6;

const STORY = `
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
  let heard = 0;
  let measure: (() => Speed) | null = null;
  let speed: Speed | null = null;
  const result = await runFile('hour.scenario.yaml', {
    mode: 'fast',
    read: () => STORY,
    sink: (notice) => {
      if (notice.kind !== 'mark') return;
      if (measure === null) measure = stopwatch();
      else speed = measure();
    },
    boot: async (asked) => {
      const stage = await bootStage(asked);
      stage.onFix(() => {
        heard += 1;
      });
      return stage;
    },
  });
  if (speed === null) throw new Error(result.mistakes ?? result.error?.message ?? 'the hour failed');
  if (heard < WATCHES * EACH) throw new Error(`only ${heard} positions came`);
  return speed;
}

async function bare(): Promise<Speed> {
  const aedes = await Aedes.createBroker({ authorizePublish: (_client, _packet, callback) => callback(null) });
  const clock = realClock({});
  const connect = () => {
    const [watch, service] = wire();
    aedes.handle(service);
    return watch;
  };
  const dial = mqttLinks({ clock, broker: { connect } });
  const siteId = idFrom('bench', 'site');
  const links = await Promise.all(
    Array.from(
      { length: WATCHES },
      (_, n) =>
        new Promise<Link>((up, down) => {
          const link = dial(
            { serial: `B-${n}`, key: 'key', siteId, will: Buffer.from('{}') },
            { linkUp: () => up(link), linkHeard: () => {}, linkDown: (why) => down(new Error(why)) },
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
  clock.stop();
  return speed;
}

export async function benchLockstep(): Promise<void> {
  const [our, their]: [Speed[], Speed[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    their.push(await bare());
    our.push(await ours());
  }
  const median = (speeds: readonly Speed[], what: keyof Speed) => figures(speeds.map((one) => one[what])).median;
  const [mine, pipe] = [median(our, 'perSecond'), median(their, 'perSecond')];
  const share = mine / pipe;
  measured({
    what: `messages of ${WATCHES} watches in a fast run, against the bare pipe`,
    value: mine,
    unit: '/s',
    bare: pipe,
    aim: { of: 'times', least: TARGET },
  });
  console.log(
    `a simulated hour of ${WATCHES} watches in a fast run: ${((WATCHES * EACH) / mine).toFixed(1)} s, ${mine.toFixed(0)} messages/s against ${pipe.toFixed(0)}/s of the bare pipe = ${(share * 100).toFixed(0)} % (${share >= TARGET ? 'at least' : 'UNDER'} ${TARGET * 100} %); CPU a message ${median(our, 'cpuUs').toFixed(1)} against ${median(their, 'cpuUs').toFixed(1)} µs`,
  );
}
