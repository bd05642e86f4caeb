import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from './address-guard';

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
