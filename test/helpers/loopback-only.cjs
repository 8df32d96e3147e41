/** A preload (`node --require`): writes every host outside of this machine that a process would contact to the file $CONTACTS, and lets none through. */
const dgram = require('node:dgram');
const dns = require('node:dns');
const { appendFileSync } = require('node:fs');
const net = require('node:net');

const isHere = (host) => host === 'localhost' || host === '::1' || host === '::' || /^(127\.|0\.0\.0\.0$)/.test(host);

function refuse(what, host) {
  appendFileSync(process.env.CONTACTS, `${what} ${host}\n`);
  return Object.assign(new Error(`${what} ${host}: outside of this machine`), { code: 'ECONNREFUSED' });
}

// `connect(options)`, `connect(port, host)`, and how Node calls it itself: `connect([options, listener])`.
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const { host = 'localhost', path } =
    typeof first === 'object' ? first : { host: typeof second === 'string' ? second : undefined };
  if (path || isHere(host)) return connect.apply(this, args);
  return this.destroy(refuse('connect', host));
};

const send = dgram.Socket.prototype.send;
dgram.Socket.prototype.send = function (...args) {
  const host = args.slice(1).find((one) => typeof one === 'string') ?? 'localhost';
  if (!isHere(host)) throw refuse('send', host);
  return send.apply(this, args);
};

const isAddress = (host) => net.isIP(host) !== 0;
for (const name of Object.keys(dns).filter((one) => /^(lookup|resolve|reverse)/.test(one))) {
  const ask = dns[name];
  dns[name] = (host, ...rest) => {
    if (isAddress(host) || isHere(host)) return ask(host, ...rest);
    return process.nextTick(rest.at(-1), refuse(`dns ${name}`, host));
  };
  const askPromised = dns.promises[name];
  if (askPromised === undefined) continue;
  dns.promises[name] = async (host, ...rest) => {
    if (isAddress(host) || isHere(host)) return askPromised(host, ...rest);
    throw refuse(`dns ${name}`, host);
  };
}
// Modules that import these by name get what they are now.
require('node:module').syncBuiltinESMExports();
