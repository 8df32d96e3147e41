/** Opens a data folder, commits a number of transactions, prints each, and waits to be killed. */
import { openDataFolder } from '../../../src/service/store/folder/data-folder.ts';
import { openStore } from '../../../src/service/store/open-store.ts';
import { transactionOf } from './samples.ts';

const [path = '', count = '0'] = process.argv.slice(2);
const { store } = await openStore(openDataFolder(path), { onBroken: (error) => console.error(error) });
for (let n = 0; n < Number(count); n++) {
  await store.commit(transactionOf(n));
  console.log(n + 1);
}
process.stdin.resume();
