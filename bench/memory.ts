/** What a connected watch costs in memory, with its client, its place at the broker and its state; a sandbox without watches is taken off. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { measured } from './table.ts';

const WATCHES = 5_000;
const TARGET_KB = 60;

interface Held {
  readonly bootMs: number;
  readonly connected: number;
  readonly rss: number;
  /** Heap and what hangs on it. */
  readonly held: number;
  /** Cores. */
  readonly core: number;
}

function measure(watches: number, fleet: 'fleet' | 'none'): Held {
  const script = join(import.meta.dirname, 'watches-in-memory.ts');
  const args = ['--expose-gc', '--import', 'tsx', script, `${watches}`, fleet];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
}

export function benchMemory(): void {
  const empty = measure(9, 'none');
  const full = measure(WATCHES, 'fleet');
  const each = (what: 'rss' | 'held') => (full[what] - empty[what]) / full.connected / 1024;
  measured({
    what: `RSS of each of ${full.connected} watches`,
    value: each('rss'),
    unit: 'KB',
    aim: { of: 'value', most: TARGET_KB },
  });
  console.log(
    `${full.connected} watches connected: ${each('rss').toFixed(1)} KB of RSS each (${each('rss') < TARGET_KB ? 'under' : 'OVER'} ${TARGET_KB}), of which ${each('held').toFixed(1)} KB in use; booted in ${(full.bootMs / 1_000).toFixed(1)} s, then ${(full.core * 100).toFixed(0)} % of a core`,
  );
}
