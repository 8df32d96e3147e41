/** Reads a SQLite write-ahead log without opening the database: which frames are valid, and which follow a damaged frame. */
import { existsSync, readFileSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The low bit gives the byte order of the checksums. */
const MAGIC = 0x377f0682;

/** The content of a WAL file. SQLite recovers the valid frames up to the first bad one and silently drops the rest. */
interface WalReport {
  /** False for a file longer than a header whose header is invalid: SQLite would discard all of it. */
  readonly headerSound: boolean;
  /** Frames of this generation that SQLite recovers. */
  readonly soundFrames: number;
  /** Frames of this generation after the first bad one, each in an unbroken chain with the one before it: written, and lost. */
  readonly cutOffFrames: number;
  /** Number of the frames after the first bad one that end a transaction. */
  readonly cutOffCommits: number;
}

const EMPTY: WalReport = { headerSound: true, soundFrames: 0, cutOffFrames: 0, cutOffCommits: 0 };

/**
 * Call this before SQLite opens the database: a connection may overwrite the frames after a bad one.
 * Format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
export function inspectWal(file: string): WalReport {
  if (!existsSync(file)) return EMPTY;
  const bytes = readFileSync(file);
  if (bytes.length <= HEADER_BYTES) return EMPTY;
  const magic = bytes.readUInt32BE(0);
  const bigEndian = (magic & 1) === 1;
  const pageBytes = bytes.readUInt32BE(8);
  const header = checksum(bytes, 0, 24, bigEndian, [0, 0]);
  const headerSound =
    (magic & ~1) >>> 0 === MAGIC &&
    isPageSize(pageBytes) &&
    same(header, [bytes.readUInt32BE(24), bytes.readUInt32BE(28)]);
  if (!headerSound) return { ...EMPTY, headerSound: false };
  return { headerSound, ...readFrames(bytes, FRAME_HEADER_BYTES + pageBytes, bigEndian, header) };
}

function readFrames(
  bytes: Buffer,
  frameBytes: number,
  bigEndian: boolean,
  header: Sums,
): Omit<WalReport, 'headerSound'> {
  const salts = bytes.subarray(16, 24);
  let [soundFrames, cutOffFrames, cutOffCommits] = [0, 0, 0];
  let isCutOff = false;
  let before = header;
  for (let at = HEADER_BYTES; at + frameBytes <= bytes.length; at += frameBytes) {
    const stored: Sums = [bytes.readUInt32BE(at + 16), bytes.readUInt32BE(at + 20)];
    // Frames of an earlier generation stay in the file until they are overwritten; their salts differ.
    const isOurs = bytes.subarray(at + 8, at + 16).equals(salts);
    const isSound = isOurs && same(stored, frameChecksum(bytes, at, frameBytes, bigEndian, before));
    if (!isSound) isCutOff = true;
    else if (!isCutOff) soundFrames++;
    else {
      cutOffFrames++;
      if (bytes.readUInt32BE(at + 4) !== 0) cutOffCommits++;
    }
    // Each frame has the checksum of all frames before it, so a later frame can be checked although an earlier one is
    // bad.
    before = stored;
  }
  return { soundFrames, cutOffFrames, cutOffCommits };
}

type Sums = readonly [number, number];

const same = (a: Sums, b: Sums): boolean => a[0] === b[0] && a[1] === b[1];

function frameChecksum(bytes: Buffer, at: number, frameBytes: number, bigEndian: boolean, before: Sums): Sums {
  const head = checksum(bytes, at, at + 8, bigEndian, before);
  return checksum(bytes, at + FRAME_HEADER_BYTES, at + frameBytes, bigEndian, head);
}

function checksum(bytes: Buffer, from: number, to: number, bigEndian: boolean, [first, second]: Sums): Sums {
  let [a, b] = [first, second];
  for (let at = from; at < to; at += 8) {
    a = (a + (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0;
    b = (b + (bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}

const isPageSize = (bytes: number): boolean => bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;
