/** `sandbox run --watch`: plays the scenarios again when a scenario file or one of its parts is saved. */
import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { later } from '../../base/time/timers.ts';
import { filesOfScenario } from '../../scenario/reading/load.ts';
import { EXIT, talk } from '../output.ts';
import type { UntilSignal } from '../signals.ts';

/** Debounce, since editors save in several steps; wall ms. */
const SETTLED_MS = 150;

/** Plays the scenarios after each change, until Ctrl-C. */
export async function watchAndRun(
  files: readonly string[],
  running: UntilSignal,
  run: () => Promise<number>,
): Promise<number> {
  let over = false;
  void running.ended.then(() => {
    over = true;
  });
  while (!over) {
    const folders = new Set(files.flatMap((file) => filesOfScenario(file)).map((file) => dirname(file)));
    // Files are also watched during a run: a change during the run starts the next one.
    const saved = change(folders);
    await run();
    if (over) break;
    talk('\nWaiting for a change; Ctrl-C ends it.');
    await Promise.race([saved.happened, running.ended]);
    saved.stop();
  }
  return EXIT.interrupted;
}

function change(folders: ReadonlySet<string>): { happened: Promise<void>; stop: () => void } {
  const watchers: FSWatcher[] = [];
  let cancel = () => {};
  const happened = new Promise<void>((resolve) => {
    for (const folder of folders)
      watchers.push(
        watch(folder, (_event, name) => {
          if (name !== null && !/\.(ya?ml|geojson|json)$/.test(name)) return;
          cancel();
          cancel = later(SETTLED_MS, resolve);
        }),
      );
  });
  return {
    happened,
    stop: () => {
      cancel();
      for (const watcher of watchers) watcher.close();
    },
  };
}
