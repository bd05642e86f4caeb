import { BlockList, isIP } from 'node:net';

const PRIVATE_V4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Addresses of IPv6 that are not public; the tunnels (Teredo, 6to4, local NAT64) may lead to private IPv4 ones. */
const PRIVATE_V6: [string, number][] = [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

/** `::a.b.c.d` (deprecated), `::ffff:a.b.c.d` (mapped) and `64:ff9b::a.b.c.d` (NAT64): as dangerous as the IPv4 address in them. */
const EMBEDDED_V4 = ['::', '::ffff:', '64:ff9b::'];

const privateV4 = new BlockList();
const privateV6 = new BlockList();
for (const [net, prefix] of PRIVATE_V4) {
  privateV4.addSubnet(net, prefix, 'ipv4');
  for (const before of EMBEDDED_V4) privateV6.addSubnet(before + net, 96 + prefix, 'ipv6');
}
for (const [net, prefix] of PRIVATE_V6) privateV6.addSubnet(net, prefix, 'ipv6');

/** Whether an IP address is loopback, link-local (cloud metadata too), private, or otherwise not of the public internet. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.split('%')[0] ?? address;
  const family = isIP(bare);
  if (family === 4) return privateV4.check(bare, 'ipv4');
  return family !== 6 || privateV6.check(bare, 'ipv6');
}
