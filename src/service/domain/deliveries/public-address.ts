/** Checks for an IP address on the public internet: the one implementation of "https only, public address". [spec 2, decisions 7] */
import { BlockList, isIP } from 'node:net';

/** Special-purpose IPv4 networks. [research/reliability 2] */
const CLOSED_V4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Azure's wire server: a public address that reaches the host of the machine.
  ['168.63.129.16', 32],
];

/** Special-purpose networks inside 2000::/3: Teredo and the other protocol assignments, documentation, 6to4, AS112. */
const CLOSED_V6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [network, prefix] of CLOSED_V4) closed.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of CLOSED_V6) closed.addSubnet(network, prefix, 'ipv6');

const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');

/**
 * True for an address that can belong to any host on the internet. IPv6 is public only inside 2000::/3. This refuses
 * every mapped, compatible, NAT64, unique-local and scoped form without decoding it.
 */
export function isPublicAddress(ip: string): boolean {
  switch (isIP(ip)) {
    case 4:
      return !closed.check(ip, 'ipv4');
    case 6:
      // A scope (`%eth0`) names a link of this machine, so the address is not public.
      return !ip.includes('%') && globalV6.check(ip, 'ipv6') && !closed.check(ip, 'ipv6');
    default:
      return false;
  }
}
