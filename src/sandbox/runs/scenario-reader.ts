/** Reads scenario files for the API without blocking other requests: small files in slices, larger ones in a worker thread with a time limit. [decisions 9, Limits of scenario files] */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { asError } from '../../base/assert.ts';
import { inSlices, type Slices } from '../../base/time/slices.ts';
import { later } from '../../base/time/timers.ts';
import { NotLight } from '../../scenario/model/reading-budget.ts';
import { loadInSlices } from '../../scenario/reading/load.ts';
import { type MergedFile, readMerged, readShared } from '../../scenario/reading/merged-file.ts';
import { listInSlices, type ScenarioListing, unreadable } from '../../scenario/reading/scenario-catalog.ts';
import { fromTransfer, type TransferredScenario } from '../../scenario/reading/transferred.ts';
import { type Rejection, reject } from '../../service/domain/changes.ts';
import { type Examination, type ExaminedScenario, type ExamineRequest, examineInSlices } from './examine.ts';

export type ReadingRequest =
  | { readonly kind: 'list'; readonly name: string; readonly file: string }
  | { readonly kind: 'examine'; readonly request: ExamineRequest };

export type ReadingReply =
  | { readonly kind: 'listed'; readonly listed: ScenarioListing }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'examined'; readonly scenario: ExaminedScenario; readonly transferred: TransferredScenario };

/**
 * Maximum number of characters of a scenario with its included files that the server reads itself; this takes about 20
 * ms.
 */
const MOST_CHARACTERS = 16 * 1024;

/** Wall ms for one file. A valid file of the largest size takes 1 to 3 s, and several times that on a busy machine. */
const TIME_LIMIT_MS = 30_000;

/**
 * Memory limit of the worker, MiB. The largest valid file needs 450 MiB, and more while garbage of the one before is not
 * collected yet.
 */
const MEMORY_MB = 768;

/** Maximum number of requests that may wait for the worker. */
const MOST_WAITING = 16;

/** Wall ms without a request after which the worker ends, because it uses about 50 MiB. */
const IDLE_MS = 30_000;

/** The reason why the worker has no result, as a detail of a refusal. */
class NotRead extends Error {
  override readonly name = 'NotRead';
}

export class ScenarioReader {
  readonly #worker = new ReadingWorker();
  readonly #soon: (wake: () => void) => void;

  /** `soon` calls back after other work of the process has run. */
  constructor(soon: (wake: () => void) => void) {
    this.#soon = soon;
  }

  /** An entry of the list. A file that cannot be read in time is listed by its name. */
  async listed(name: string, file: string): Promise<ScenarioListing> {
    await this.#pause();
    const small = await this.#ifLight(file, (merged) => listInSlices(name, file, { merged, light: true }));
    if (small !== null) return small;
    try {
      const reply = await this.#worker.ask({ kind: 'list', name, file });
      return reply.kind === 'listed' ? reply.listed : unreadable(name, file);
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      return unreadable(name, file);
    }
  }

  async examine(request: ExamineRequest): Promise<Pick<Examination, 'scenario' | 'loaded'> | Rejection> {
    const small = await this.#ifLight(request.file, (merged) =>
      examineInSlices(request, readShared, { merged, light: true }),
    );
    if (small !== null) return small;
    try {
      const reply = await this.#worker.ask({ kind: 'examine', request });
      if (reply.kind === 'rejected') return reply.rejection;
      if (reply.kind === 'listed') throw new NotRead('The file was not examined.');
      const loaded = await inSlices(loadInSlices(fromTransfer(reply.transferred)), () => this.#pause());
      // The worker found no mistake, so a mistake here is a bug of the sandbox.
      if (!loaded.ok) throw new Error(`The scenario differs after its transfer: ${loaded.text}`);
      return { scenario: reply.scenario, loaded };
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      return reject('validation_failed', error.message);
    }
  }

  /** Returns null if the work is too much for the server between two requests. */
  async #ifLight<T>(file: string, work: (merged: MergedFile) => Slices<T>): Promise<T | null> {
    try {
      const merged = smallFile(file);
      await this.#pause();
      return await inSlices(work(merged), () => this.#pause());
    } catch (error) {
      if (error instanceof NotLight) return null;
      throw error;
    }
  }

  stop(): void {
    this.#worker.stop();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#soon(resolve));
  }
}

/** Reads the file with its included files. Throws `NotLight` if reading it would block the server. */
function smallFile(file: string): MergedFile {
  let characters = 0;
  return readMerged(file, (path) => {
    const text = readShared(path);
    if (typeof text === 'string') characters += text.length;
    if (characters > MOST_CHARACTERS) throw new NotLight();
    return text;
  });
}

interface WaitingRequest {
  readonly request: ReadingRequest;
  readonly resolve: (reply: ReadingReply) => void;
  readonly reject: (error: Error) => void;
}

/** One worker thread, which is started on demand. It reads one file at a time. */
class ReadingWorker {
  #worker: Worker | null = null;
  readonly #queue: WaitingRequest[] = [];
  #current: WaitingRequest | null = null;
  #cancelTimer: () => void = () => {};
  #stopped = false;

  /** Sends a request to the worker. Rejects with `NotRead`. */
  ask(request: ReadingRequest): Promise<ReadingReply> {
    return new Promise((resolve, rejectWith) => {
      if (this.#stopped) return rejectWith(new NotRead('The sandbox is stopping.'));
      if (this.#queue.length >= MOST_WAITING)
        return rejectWith(new NotRead('Other large scenarios are being read. Try again in a few seconds.'));
      this.#queue.push({ request, resolve, reject: rejectWith });
      this.#next();
    });
  }

  /** Idempotent. */
  stop(): void {
    this.#stopped = true;
    for (const { reject: rejectWith } of this.#queue.splice(0)) rejectWith(new NotRead('The sandbox is stopping.'));
    this.#end(new NotRead('The sandbox is stopping.'));
  }

  #next(): void {
    if (this.#current !== null) return;
    this.#cancelTimer();
    const next = this.#queue.shift();
    if (next === undefined) {
      this.#cancelTimer = later(IDLE_MS, () => this.#end(null), { unref: true });
      return;
    }
    this.#current = next;
    this.#worker ??= this.#start();
    this.#cancelTimer = later(TIME_LIMIT_MS, () => this.#end(tooSlow()), { unref: true });
    this.#worker.postMessage(next.request);
  }

  #start(): Worker {
    const worker = new Worker(...scriptOf());
    // `unref`: the thread must not keep a stopped sandbox alive.
    worker.unref();
    worker.on('message', (reply: ReadingReply) => {
      const current = this.#current;
      this.#current = null;
      current?.resolve(reply);
      this.#next();
    });
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#end(failureOf(error));
    });
    return worker;
  }

  /** Ends the thread, even while it reads a file; the next request starts another thread. */
  #end(why: Error | null): void {
    this.#cancelTimer();
    void this.#worker?.terminate();
    this.#worker = null;
    const current = this.#current;
    this.#current = null;
    if (why !== null) current?.reject(why);
    if (!this.#stopped && this.#queue.length > 0) this.#next();
  }
}

const tooSlow = (): NotRead =>
  new NotRead(
    `The scenario was not read within ${TIME_LIMIT_MS / 1_000} s. Split it, or run it with the command line.`,
  );

/** Too much memory is a fault of the file; any other error is a bug of the sandbox. */
function failureOf(thrown: unknown): Error {
  const error = asError(thrown);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new NotRead(`Reading the scenario needs more than ${MEMORY_MB} MiB of memory. Split it.`);
}

/** Returns the bundled script next to this file; in a clone, the source, which tsx compiles. */
function scriptOf(): ConstructorParameters<typeof Worker> {
  const options = { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB }, stdout: false, stderr: false };
  const bundled = fileURLToPath(new URL('./reading-worker.cjs', import.meta.url));
  if (existsSync(bundled)) return [bundled, { ...options, execArgv: [] }];
  // With `--import` tsx compiles for the main thread only, so the worker registers it itself.
  const commonjs = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api'));
  // The CommonJS form of tsx 4.23.15 looks for its loader in a folder that does not exist.
  const tsx = new URL('./index.mjs', commonjs).href;
  const source = new URL('./reading-worker.ts', import.meta.url).href;
  const script = `const { register } = await import('${tsx}'); register(); await import('${source}');`;
  return [new URL(`data:text/javascript,${encodeURIComponent(script)}`), { ...options, execArgv: [] }];
}
