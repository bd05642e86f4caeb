import { isIP } from 'node:net';
import { IPv4, IPv6, parse } from 'ipaddr.js';

/** All of IPv6 that is given out to be reached from anywhere (IANA, "IPv6 Address Space"). */
const GLOBAL_UNICAST = IPv6.parseCIDR('2000::/3');
/** What the library's table leaves out of it (IANA, "IPv6 Special-Purpose Address Registry"). */
const MORE_SPECIAL = ['2001::/23', '3fff::/20'].map((range) => IPv6.parseCIDR(range));
/** `::a.b.c.d` (deprecated), `::ffff:a.b.c.d` (mapped) and `64:ff9b::a.b.c.d` (NAT64): as public as the IPv4 address in them. */
const EMBEDDING = ['::/96', '::ffff:0:0/96', '64:ff9b::/96'].map((range) => IPv6.parseCIDR(range));

/**
 * Whether an IP address is loopback, link-local (cloud metadata too), private, or otherwise not of the public internet: of
 * any special purpose in the registries of IANA (RFC 6890), or no address at all.
 */
export function isPrivateAddress(address: string): boolean {
  const bare = address.split('%')[0] ?? address;
  if (isIP(bare) === 0) return true;
  const parsed = parse(bare);
  return parsed instanceof IPv6 ? isPrivateV6(parsed) : isPrivateV4(parsed);
}

function isPrivateV4(address: IPv4): boolean {
  return address.range() !== 'unicast';
}

function isPrivateV6(address: IPv6): boolean {
  if (EMBEDDING.some((range) => address.match(range))) return isPrivateV4(new IPv4(address.toByteArray().slice(12)));
  if (!address.match(GLOBAL_UNICAST) || MORE_SPECIAL.some((range) => address.match(range))) return true;
  return address.range() !== 'unicast';
}
