/** A process that holds a data folder and says so; it ends with its input, or by being killed. */
import { writeSync } from 'node:fs';
import { openDataFolder } from '../../../src/service/store/folder/data-folder.ts';

const folder = openDataFolder(process.argv[2]!, { startedAt: 1_791_180_000_000 });
folder.writeSandboxFile({ pid: process.pid });
writeSync(1, 'held\n');
process.stdin.resume();
