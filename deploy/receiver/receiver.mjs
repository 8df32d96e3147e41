/** A receiver beside the sandbox in compose: subscribes itself, and prints each event whose signature is good. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { SANDBOX_API_URL: api, CREDENTIALS, PORT = '8080' } = process.env;
const URL_OF_MINE = 'https://receiver.example/hook';
const TOLERANCE_S = 300;

const [[client_id, client_secret]] = Object.entries(JSON.parse(readFileSync(CREDENTIALS, 'utf8')).clients);

async function call(method, path, token, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
}

/** A secret is shown once, so what an earlier start subscribed is of no use any more. */
async function subscribe() {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const answer = await fetch(`${api}/v1/oauth/token`, { method: 'POST', body: form });
  if (!answer.ok) throw new Error(`The token endpoint answers ${answer.status}: ${await answer.text()}`);
  const { access_token: token } = await answer.json();
  for (const { id, url } of (await call('GET', '/v1/webhooks', token)).data)
    if (url === URL_OF_MINE) await call('DELETE', `/v1/webhooks/${id}`, token);
  const subscribed = { url: URL_OF_MINE, event_types: ['alert.*', 'muster.*'] };
  return (await call('POST', '/v1/webhooks', token, subscribed)).secret;
}

function isGenuine(timestamp, signatures, body) {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S) return false;
  const wanted = Buffer.from(`v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`);
  return signatures.split(',').some((one) => {
    const given = Buffer.from(one.trim());
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { 'x-service-timestamp': timestamp = '', 'x-service-signature': signature = '' } = request.headers;
  const isGood = isGenuine(timestamp, signature, body);
  response.writeHead(isGood ? 204 : 401).end();
  if (isGood) console.log(JSON.parse(body).type, JSON.parse(body).id);
  else console.error('refused: the signature does not fit');
});

const secret = await subscribe();
server.listen(Number(PORT), () => console.log(`receiver on ${PORT}, subscribed as ${URL_OF_MINE}`));
process.once('SIGTERM', () => process.exit(0));
