/** What it costs to keep 5,000 people and watches over a restart: share of a core, bytes a second, and the restart itself; in everyday life and at an alarm. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MemoryChanges } from '../src/fleet/kept/memory.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/start.ts';
import type { KeptTexts } from '../src/service/store/sqlite/kept.ts';
import { measured } from './table.ts';

const WATCHES = 5_000;
/** Of everyday life, and of a muster from its alarm on; seconds of wall time. */
const SECONDS = 60;
const TARGET_PCT = 5;

interface Cost {
  readonly pct: number;
  readonly bytes: number;
  readonly documents: number;
  readonly longestMs: number;
}

/** The store of a data folder keeps what the fleet hands it. */
const keptOf = (sandbox: Sandbox): KeptTexts => (sandbox.store as unknown as { kept: KeptTexts }).kept;

async function cost(sandbox: Sandbox): Promise<Cost> {
  const kept = keptOf(sandbox);
  const keep = kept.keep.bind(kept);
  let [bytes, documents, longestMs] = [0, 0, 0];
  Object.assign(kept, {
    keep: async (changes: MemoryChanges) => {
      const from = performance.now();
      await keep(changes);
      longestMs = Math.max(longestMs, performance.now() - from);
      documents += changes.puts.length + changes.removals.length;
      for (const { key, body } of changes.puts) bytes += key.length + Buffer.byteLength(body);
    },
  });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  const from = performance.now();
  await sleep(SECONDS * 1_000);
  const { profile } = await session.post('Profiler.stop');
  const seconds = (performance.now() - from) / 1_000;
  session.disconnect();
  Object.assign(kept, { keep });
  const pct = (100 * keepingMs(profile)) / (seconds * 1_000);
  return { pct, bytes: bytes / seconds, documents: documents / seconds, longestMs };
}

/** As the inspector tells it. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly url: string };
    readonly children?: readonly number[] | undefined;
  }[];
  readonly samples?: readonly number[] | undefined;
  readonly timeDeltas?: readonly number[] | undefined;
}

/** Time in and below the keeper and its table; milliseconds. */
function keepingMs({ nodes, samples = [], timeDeltas = [] }: Profile): number {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const keeping = new Set<number>();
  const walk = (id: number, inside: boolean): void => {
    const node = byId.get(id)!;
    const is = inside || /kept\/keeper|sqlite-kept/.test(node.callFrame.url);
    if (is) keeping.add(id);
    for (const child of node.children ?? []) walk(child, is);
  };
  walk(nodes[0]!.id, false);
  return samples.reduce((sum, id, n) => sum + (keeping.has(id) ? timeDeltas[n]! : 0), 0) / 1_000;
}

const tell = (what: string, { pct, bytes, documents, longestMs }: Cost): void => {
  measured({
    what: `keeping ${WATCHES} people and watches, ${what}`,
    value: pct,
    unit: '% of a core',
    aim: { of: 'value', most: TARGET_PCT },
  });
  console.log(
    `keeping ${WATCHES} people and watches, ${what}: ${pct.toFixed(1)} % of a core (${pct <= TARGET_PCT ? 'within' : 'OVER'} ${TARGET_PCT} %), ${(bytes / 1_024).toFixed(0)} KB/s in ${documents.toFixed(0)} documents a second, longest transaction ${longestMs.toFixed(0)} ms`,
  );
};

export async function benchFleetMemory(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-bench-'));
  const options = { dataDir, watches: WATCHES, seed: 'bench', port: 0, mqttPort: 0 };
  const boot = async (): Promise<{ sandbox: Sandbox; ms: number }> => {
    const from = performance.now();
    const sandbox = await startSandbox(options);
    return { sandbox, ms: performance.now() - from };
  };
  try {
    const first = await boot();
    tell('in everyday life', await cost(first.sandbox));
    const sites = [...first.sandbox.engine.world.all('site')];
    for (const { id } of sites)
      await first.sandbox.act({ action: 'start_muster', site: id, kind: 'general', by: 'bench' });
    tell('in a muster from its alarm on', await cost(first.sandbox));
    const stopping = performance.now();
    await first.sandbox.stop();
    const stopMs = performance.now() - stopping;
    const again = await boot();
    console.log(
      `boot with ${WATCHES} watches: new ${(first.ms / 1_000).toFixed(1)} s, resumed ${(again.ms / 1_000).toFixed(1)} s; clean stop ${(stopMs / 1_000).toFixed(1)} s`,
    );
    await again.sandbox.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
