/** A receiver in a process of its own: answers 204 (`/slow`: after 20 ms, `/hang`: never) and measures from each event's `created_at` to its arrival. Prints its port; a line on stdin asks for the figures since the last. */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const SLOW_MS = 20;
let [count, lags, sosLags, seen] = [0, [], [], new Set()];

createServer((request, answer) => {
  if (request.url === '/hang') return void request.resume();
  const chunks = [];
  request.on('data', (bytes) => chunks.push(bytes));
  request.on('end', () => {
    const now = performance.timeOrigin + performance.now();
    if (request.url === '/slow') setTimeout(() => answer.writeHead(204).end(), SLOW_MS);
    else answer.writeHead(204).end();
    count += 1;
    const { id, type, created_at, data } = JSON.parse(Buffer.concat(chunks));
    seen.add(`${id} ${request.url}`);
    const isSos = type === 'alert.created' && data.alert.type === 'sos';
    (isSos ? sosLags : lags).push(now - Date.parse(created_at));
  });
}).listen(0, '127.0.0.1', function () {
  process.stdout.write(`${this.address().port}\n`);
});
createInterface({ input: process.stdin }).on('line', () => {
  process.stdout.write(`${JSON.stringify({ count, lags, sosLags, distinct: seen.size })}\n`);
  [count, lags, sosLags, seen] = [0, [], [], new Set()];
});
