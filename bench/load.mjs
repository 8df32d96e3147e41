/** A load on loopback from a process of its own: so many connections, one request at a time each; prints requests a second. */
import http from 'node:http';

const [url, token, connections, seconds] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(connections) });
const { hostname, port, pathname, search } = new URL(url);
const options = { hostname, port, path: pathname + search, agent, headers: { authorization: `Bearer ${token}` } };
const begun = performance.now();
const endMs = begun + Number(seconds) * 1_000;
let answered = 0;
let failed = 0;

const one = () =>
  new Promise((done) => {
    http
      .get(options, (answer) => {
        if (answer.statusCode === 200) answered += 1;
        else failed += 1;
        answer.resume();
        answer.once('end', done);
      })
      .once('error', () => {
        failed += 1;
        done();
      });
  });

const line = async () => {
  while (performance.now() < endMs) await one();
};
await Promise.all(Array.from({ length: Number(connections) }, line));
console.log(JSON.stringify({ perSecond: answered / ((performance.now() - begun) / 1_000), done: answered, failed }));
process.exit(0);
