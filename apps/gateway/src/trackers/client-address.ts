import { createHmac, hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { networkOf } from '../auth/sender-address';

/**
 * Derives keyed digests of network addresses and user agents: what is stored tells nobody's address. The key comes first in
 * what is hashed, and half of the hash is left out, so that none can be carried on from another.
 */
export class AddressDigest {
  readonly #key: string;

  constructor(secretKey: string) {
    this.#key = createHmac('sha256', secretKey).update('postrider/click-address/2').digest('hex');
  }

  /** @param parts what the digest is of; equal parts give equal digests */
  of(...parts: string[]): Buffer {
    return Buffer.from(hash('sha256', `${this.#key}\0${parts.join('\0')}`, 'hex').slice(0, 32), 'hex');
  }
}

/** What of a request tells where it comes from. */
export interface ClientRequest {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/**
 * The network address that a request comes from, or null when it cannot be told: behind proxies, how many must be known
 * (`TRUSTED_PROXIES`), or everybody would have the proxy's address. Of IPv6 the network (/64): the rest changes by the day.
 */
export function clientAddress(request: ClientRequest, trustedProxies: number): string | null {
  const forwarded = request.headers['x-forwarded-for'];
  const header = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
  if (header === undefined) return trustedProxies === 0 ? networkOf(request.socket.remoteAddress) : null;
  if (trustedProxies === 0) return null;
  return networkOf(header.split(',').at(-trustedProxies)?.trim());
}
