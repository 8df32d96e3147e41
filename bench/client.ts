/** What benchmarks of the API have in common: a token, an answer to its last byte, and what it costs beside JSON.stringify of itself. */
import { get } from 'node:http';
import type { Sandbox } from '../src/sandbox/start.ts';
import { figures } from './figures.ts';

/** Of the first company's client. */
export async function tokenOf({ ready }: Sandbox): Promise<string> {
  const [first] = ready.clients;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: first?.client_id ?? '',
    client_secret: first?.client_secret ?? '',
  });
  const answer = await fetch(`${ready.api_url}/v1/oauth/token`, { method: 'POST', body: form });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Until the last byte is there: what a client makes of them is the client's time. */
function bytesOf(url: string, token: string): Promise<Buffer> {
  return new Promise((done, failed) => {
    get(url, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (bytes: Buffer) => chunks.push(bytes));
      answer.once('end', () => done(Buffer.concat(chunks)));
    }).once('error', failed);
  });
}

/** Medians over `rounds`, ms; `before` each round, outside of the time. */
export async function besideStringify(
  url: string,
  token: string,
  rounds: number,
  before: (round: number) => void = () => {},
): Promise<{ items: number; servedMs: number; ratio: number }> {
  const [served, written]: [number[], number[]] = [[], []];
  let items = 0;
  for (let round = 0; round < rounds; round++) {
    before(round);
    let begun = performance.now();
    const text = await bytesOf(url, token);
    served.push(performance.now() - begun);
    const body = JSON.parse(text.toString());
    items = body.data.length;
    begun = performance.now();
    JSON.stringify(body);
    written.push(performance.now() - begun);
  }
  const servedMs = figures(served).median;
  return { items, servedMs, ratio: servedMs / figures(written).median };
}
