/**
 * `sandbox dashboard --json`: the data of the dashboard, one JSON object per line; with `--once`, the snapshot in the
 * envelope. [cli]
 */
import type { SandboxAccess } from '../../dashboard/pass.ts';
import { EXIT, envelope, out, outLine, talk } from '../output.ts';
import { runUntilSignal } from '../signals.ts';
import { readerLeft } from '../streams.ts';

/**
 * Prints `{"event": "snapshot" | "change" | "connection", ...}` lines until a signal, or until the reader of stdout
 * closes.
 */
export async function jsonLines(find: () => SandboxAccess): Promise<number> {
  const { openStream } = await import('../../dashboard/stream.ts');
  const running = runUntilSignal();
  const print = (event: string, what: object): void => outLine(JSON.stringify({ event, ...what }));
  const stream = openStream(find, {
    snapshot: (snapshot) => print('snapshot', { snapshot }),
    change: (change) => print('change', { change }),
    connection: (connection) => {
      if (connection.is === 'broken') talk(`${connection.why} Trying again.`);
      print('connection', { connection });
    },
  });
  const why = await Promise.race([running.ended, readerLeft]);
  stream.close();
  running.done();
  return why === 'SIGINT' ? EXIT.interrupted : EXIT.done;
}

export async function jsonOnce(access: SandboxAccess): Promise<number> {
  const { snapshotOf } = await import('../../dashboard/stream.ts');
  out(JSON.stringify(envelope('dashboard', await snapshotOf(access))));
  return EXIT.done;
}
