/** A process that commits transaction after transaction and says the number of each once it is durable; it ends by being killed. */
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { transactionOf } from './samples.ts';

const [file, first] = process.argv.slice(2);
const store = await openSqliteStore({ file: file! });
for (let n = Number(first); ; n++) {
  await store.commit(transactionOf(n));
  // Not process.stdout: what waits in its buffer dies with the process, and fewer acknowledgements prove less.
  writeSync(1, `${n}\n`);
}
