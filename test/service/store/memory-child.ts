/**
 * A process with a sandbox in memory, which prints its folder; it is killed, or exits without a stop with `exit`. With a
 * number it starts and stops that many, one after the other, and prints their folders, each once.
 */
import { writeSync } from 'node:fs';
import { memoryFolder } from '../../../src/service/store/folder/data-folder.ts';

const [, , path = '', end] = process.argv;
const times = Number(end);
if (times > 0) {
  const places = new Set<string>();
  for (let time = 0; time < times; time++) {
    const { path: place, close } = memoryFolder(path);
    places.add(place);
    close();
  }
  writeSync(1, `${[...places].join(' ')}\n`);
  process.exit();
}
const folder = memoryFolder(path);
folder.writeSandboxFile({ pid: process.pid });
writeSync(1, `${folder.path}\n`);
if (end === 'exit') process.exit();
process.stdin.resume();
