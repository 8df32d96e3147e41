/** A resolver under the harness' control: names ending in `.rebind.example`, `.servfail.example`, `.slow.example`. */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const PUBLIC = '93.184.216.34';
const asked = new Map();
const { lookup } = dns;
dns.lookup = (host, options, done) => {
  const count = (asked.get(host) ?? 0) + 1;
  asked.set(host, count);
  const answer = (address, delayMs = 0) => setTimeout(() => done(null, [{ address, family: 4 }]), delayMs);
  if (host.endsWith('.rebind.example')) return answer(count === 1 ? PUBLIC : '127.0.0.1');
  if (host.endsWith('.slow.example')) return answer('127.0.0.1', 10_000);
  if (host.endsWith('.servfail.example'))
    return setTimeout(() => done(Object.assign(new Error(`queryA ESERVFAIL ${host}`), { code: 'ESERVFAIL' })), 1);
  return lookup(host, options, done);
};
syncBuiltinESMExports();
