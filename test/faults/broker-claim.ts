/** Two sandboxes with the same sites at one broker: the second is refused, or takes over from one that sleeps; no acknowledged press is lost or accepted twice. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import { connectAsync } from 'mqtt';
import { Mosquitto } from '../helpers/mosquitto.ts';
import { withoutMosquitto } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { RunningSandbox, run } from '../product/sandbox-process.ts';
import { type Extent, type Fault, type FaultReport, Findings, pause } from './harness.ts';

const WORLD = ['--seed', '7', '--watches', '12', '--no-fleet'];

/** A spare watch that presses again and again until `stop`; the ids that the broker has acknowledged. */
async function presser(port: number, { serial, key, site_id: site }: RunningSandbox['ready']['watches'][number]) {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { clientId: serial, username: serial, password: key });
  const acknowledged: string[] = [];
  let isPressing = true;
  const pressing = (async () => {
    for (let seq = 1; isPressing; seq++) {
      const id = randomUUID();
      const event = { id, session: 1, seq, t: new Date().toISOString(), with: 'watch_button' };
      await client.publishAsync(`wt/v1/${site}/${serial}/up/event/sos`, JSON.stringify(event), { qos: 1 });
      acknowledged.push(id);
      await pause(20);
    }
  })();
  return {
    acknowledged,
    stop: async () => {
      isPressing = false;
      await pressing;
      await client.endAsync();
    },
  };
}

/** The ids of events that a sandbox has accepted. */
function acceptedIn(folder: string): Set<string> {
  const database = new Database(join(folder, 'world.db'), { readonly: true });
  const rows = database.prepare("SELECT id FROM documents WHERE kind = 'heard'").all() as { id: string }[];
  database.close();
  return new Set(rows.map(({ id }) => id.split('/').at(-1) ?? ''));
}

async function twoSandboxes(extent: Extent): Promise<FaultReport> {
  const findings = new Findings();
  const folder = ownFolder();
  const settings = ['allow_anonymous true', 'max_queued_messages 1000000', 'max_inflight_messages 1000'];
  const mosquitto = await Mosquitto.start(join(folder.path, 'mosquitto.conf'), [settings]);
  const port = mosquitto.ports[0] as number;
  const folders = ['first', 'second'].map((name) => join(folder.path, name)) as [string, string];
  const flags = (at: string) => [...WORLD, '--broker', `mqtt://127.0.0.1:${port}`, '--data-dir', at];
  const running: RunningSandbox[] = [];
  try {
    const first = await RunningSandbox.up(flags(folders[0]));
    running.push(first);
    const spare = first.ready.watches.find(({ emulated }) => !emulated);
    if (spare === undefined) throw new Error('no spare watch');
    const watch = await presser(port, spare);
    let refused = 0;
    for (let round = 0; round < (extent === 'whole' ? 3 : 1); round++) {
      const { code, stdout } = await run(['up', '--json', '--port', '0', ...flags(folders[1])]);
      if (code === 3 && stdout.includes('site_claimed')) refused += 1;
      findings.must(code === 3, `the second sandbox was not refused: ${code} ${stdout.slice(0, 200)}`);
    }
    let takenOver = 0;
    if (extent === 'whole') {
      first.child.kill('SIGSTOP');
      running.push(await RunningSandbox.up(flags(folders[1])));
      await pause(2_000);
      first.child.kill('SIGCONT');
      await first.printed(({ detail }) => /has lost its claim/.test(String(detail)));
      takenOver += 1;
      await pause(2_000);
    }
    await watch.stop();
    await pause(1_000);
    for (const sandbox of running) await sandbox.stop();
    const [one, two] = [acceptedIn(folders[0]), takenOver > 0 ? acceptedIn(folders[1]) : new Set<string>()];
    const { acknowledged } = watch;
    const lost = acknowledged.filter((id) => !one.has(id) && !two.has(id)).length;
    const both = acknowledged.filter((id) => one.has(id) && two.has(id)).length;
    findings.must(acknowledged.length > 0, 'there was no press');
    findings.must(lost === 0, `${lost} of ${acknowledged.length} acknowledged presses are lost`);
    // A press may have been committed, and not yet acknowledged to the broker, in the moment in which the first was stopped.
    findings.must(both <= 1, `${both} presses were heard by both`);
    const figures = {
      refused,
      'taken over': takenOver,
      acknowledged: acknowledged.length,
      lost,
      'heard by both': both,
    };
    return findings.report({ ...figures, 'by the first': one.size, 'by the second': two.size });
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    await mosquitto.stop();
    folder.remove();
  }
}

export const BROKER_CLAIMS: readonly Fault[] = [
  {
    id: 'F17',
    title:
      'a second sandbox with the same sites at one broker, and the first asleep (SIGSTOP) for longer than its claim',
    missing: () => withoutMosquitto,
    run: twoSandboxes,
  },
];
