/** Disks that are small, or that lie: a tmpfs of some size, and a process whose fsync fails. Both need Linux, the first one root. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unlessMachine, withoutPrograms } from './needs.ts';

const sh = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' });

export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** `size`: as mount has it, such as `64k`. */
  static of(size: string): SmallDisk {
    const path = mkdtempSync(join(tmpdir(), 'small-disk-'));
    if (sh('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path).status !== 0) {
      rmSync(path, { recursive: true });
      throw new Error('a tmpfs cannot be mounted here');
    }
    return new SmallDisk(path);
  }

  resize(size: string): void {
    sh('mount', '-o', `remount,size=${size}`, this.path);
  }

  /** Takes all the room there is; the answer is the file to remove. */
  fill(): string {
    const file = join(this.path, 'filler');
    for (const bytes of [16_384, 512])
      try {
        for (;;) writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        // Full to the last block.
      }
    return file;
  }

  remove(): void {
    // Lazily: SQLite keeps a closed file open until its statements are collected.
    sh('umount', '-l', this.path);
    rmSync(this.path, { recursive: true, force: true });
  }
}

const canMount = (): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    SmallDisk.of('64k').remove();
    return true;
  } catch {
    return false;
  }
};

export const withoutSmallDisk = unlessMachine(canMount(), 'the right to mount a tmpfs', 'run as root on Linux');
export const withoutStrace = withoutPrograms('strace');

/** The `from`-th fsync of the process from now on, and all after it, fail with EIO. Resolves when that is in force. */
export async function failFsync({ pid }: ChildProcess, from = 1): Promise<ChildProcess> {
  const inject = `inject=fsync,fdatasync:error=EIO:when=${from}+`;
  const words = ['-f', '-e', 'trace=fsync,fdatasync', '-e', inject, '-p', String(pid)];
  const tracer = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((attached) => tracer.stderr?.once('data', () => attached()));
  tracer.stderr?.resume();
  return tracer;
}
