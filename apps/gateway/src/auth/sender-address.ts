import type { IncomingMessage } from 'node:http';
import { networkOf } from '../trackers/client-address';

/**
 * Whom a request is counted against: behind trusted proxies the address that the outermost of them saw, otherwise the other end of
 * the connection, whatever headers say. Of IPv6 the network (/64).
 */
export function senderAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const told = trustedProxies > 0 ? networkOf(forwarded.at(-trustedProxies)?.trim()) : null;
  return told ?? networkOf(socket.remoteAddress) ?? '';
}
