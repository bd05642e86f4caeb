import { createHmac, hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { networkOf } from '../auth/counted-address';

/**
 * Makes keyed digests of network addresses and user agents, so that what is stored reveals nobody's address. The key
 * comes first in the hashed text, and half of the hash is left out, so that no digest can be extended to another one.
 */
export class AddressDigest {
  readonly #key: string;

  constructor(secretKey: string) {
    this.#key = createHmac('sha256', secretKey).update('postrider/click-address/2').digest('hex');
  }

  /** @param parts what the digest covers; equal parts have equal digests */
  of(...parts: string[]): Buffer {
    return Buffer.from(hash('sha256', `${this.#key}\0${parts.join('\0')}`, 'hex').slice(0, 32), 'hex');
  }
}

/** The parts of a request that tell where it comes from. */
export interface ClientRequest {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/**
 * The network address of a request, or null if it is not known: behind proxies, their number must be known
 * (`TRUSTED_PROXIES`), because otherwise everybody would have the proxy's address. For IPv6 the network (/64), because
 * the rest changes daily.
 */
export function clientAddress(request: ClientRequest, trustedProxies: number): string | null {
  const forwarded = request.headers['x-forwarded-for'];
  const header = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
  if (header === undefined) return trustedProxies === 0 ? networkOf(request.socket.remoteAddress) : null;
  if (trustedProxies === 0) return null;
  return networkOf(header.split(',').at(-trustedProxies)?.trim());
}
