// A small receiver of your own: it verifies each delivery, and keeps each event once. Nothing but Node.
const { createHmac, timingSafeEqual } = require('node:crypto');
const { createServer } = require('node:http');

/** True for a genuine delivery that is no older (and no newer) than 5 minutes. `body`: the raw bytes. */
function isGenuine(headers, body, secret) {
  const stamp = headers['x-service-timestamp'] ?? '';
  if (!/^\d{1,12}$/.test(stamp) || Math.abs(Date.now() / 1000 - Number(stamp)) > 300) return false;
  const expected = Buffer.from(`v1=${createHmac('sha256', secret).update(`${stamp}.`).update(body).digest('hex')}`);
  // Two signatures, separated by a comma, while a secret is rotated.
  const given = String(headers['x-service-signature'])
    .split(',')
    .map((one) => Buffer.from(one.trim()));
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

/** Starts the receiver; `sandbox` delivers all events of the first company to it, until its next reset. */
async function startReceiver(sandbox) {
  const events = new Map();
  let secret = '';
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    if (!isGenuine(request.headers, body, secret)) return response.writeHead(401).end();
    response.writeHead(204).end();
    const event = JSON.parse(body);
    events.set(event.id, event);
  });
  // A test that fails before `stop` must not keep its process alive.
  server.unref();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${server.address().port}/hook`;
  const { api_url, control_token } = sandbox.ready;
  const answer = await fetch(`${api_url}/v1/sandbox/destinations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ forward_to: url }),
  });
  if (!answer.ok) throw new Error(`The sandbox does not deliver to ${url}: ${await answer.text()}`);
  ({ secret } = await answer.json());
  return {
    url,
    /** The verified events, each once. */
    events: () => [...events.values()],
    /** From now on the receiver expects another secret. */
    expectSecret(other) {
      secret = other;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

module.exports = { isGenuine, startReceiver };
