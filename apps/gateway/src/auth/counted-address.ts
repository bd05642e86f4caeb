import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The address that a request is counted for: behind trusted proxies the address that the outermost of them saw,
 * otherwise the other end of the connection, whatever headers say. For IPv6 the network (/64).
 */
export function countedAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const told = trustedProxies > 0 ? networkOf(forwarded.at(-trustedProxies)?.trim()) : null;
  return told ?? networkOf(socket.remoteAddress) ?? '';
}

/** An address in the form in which it is counted: for IPv6 the network (/64). Null if it is not an address. */
export function networkOf(address: string | undefined): string | null {
  if (address === undefined) return null;
  if (isIP(address) === 4) return address;
  const plain = withoutZone(address.replace(/^::ffff:(?=\d+\.)/i, ''));
  const version = isIP(plain);
  if (version !== 6) return version === 4 ? plain : null;
  const [head = '', tail] = plain.toLowerCase().split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.padStart(4, '0'))
    .join(':');
}

/** An address without the zone of a link-local one, `fe80::1%eth0` (RFC 4007 §11). */
function withoutZone(address: string): string {
  const zone = address.indexOf('%');
  return zone < 0 ? address : address.slice(0, zone);
}
