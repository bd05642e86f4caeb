import { IPv4, IPv6, parse } from 'ipaddr.js';
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/** All IPv6 addresses that can be reached from anywhere (IANA, "IPv6 Address Space"). */
const GLOBAL_UNICAST = IPv6.parseCIDR('2000::/3');
/** The ranges that the library's table leaves out of it (IANA, "IPv6 Special-Purpose Address Registry"). */
const MORE_SPECIAL = ['2001::/23', '3fff::/20'].map((range) => IPv6.parseCIDR(range));
/** `::a.b.c.d` (deprecated), `::ffff:a.b.c.d` (mapped) and `64:ff9b::a.b.c.d` (NAT64): as public as the IPv4 address in them. */
const EMBEDDING = ['::/96', '::ffff:0:0/96', '64:ff9b::/96'].map((range) => IPv6.parseCIDR(range));

/**
 * True if an IP address is loopback, link-local (cloud metadata too), private, or otherwise not of the public internet:
 * of any special purpose in the registries of IANA (RFC 6890), or no address at all.
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

/** A host whose addresses are not public, where only public ones are allowed. */
export class PrivateAddressError extends Error {
  readonly code = 'PRIVATE_ADDRESS';

  constructor(host: string) {
    super(`${host} is not a public address`);
    this.name = 'PrivateAddressError';
  }
}

/** An endpoint without TLS, where it is required. */
export class PlainEndpointError extends Error {
  readonly code = 'PLAIN_ENDPOINT';

  constructor(origin: string) {
    super(`${origin} is not https`);
    this.name = 'PlainEndpointError';
  }
}

/**
 * Name resolution at the moment of connecting, uncached, that gives public addresses only: a name that pointed to a public
 * address when it was checked and to a private one now is caught.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) {
      callback(error, options.all ? [] : '', 0);
      return;
    }
    const allowed = addresses.filter(({ address }) => !isPrivateAddress(address));
    const first = allowed[0];
    if (!first) {
      callback(new PrivateAddressError(hostname), options.all ? [] : '', 0);
      return;
    }
    if (options.all) {
      callback(null, allowed);
      return;
    }
    callback(null, first.address, first.family);
  });
};

/** The part of a URL's host that a socket connects to: an IPv6 address without its brackets. */
function connectHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Refuses an endpoint that is not https, or whose host is a private address itself; names are checked by `publicLookup` once
 * they are resolved.
 *
 * @throws PrivateAddressError, PlainEndpointError
 */
export function assertPublicEndpoint(url: URL): void {
  if (url.protocol !== 'https:') throw new PlainEndpointError(url.origin);
  const host = connectHost(url);
  if (isIP(host) !== 0 && isPrivateAddress(host)) throw new PrivateAddressError(host);
}
