/** A random UUID (RFC 9562 §5.4), also on a page that came over plain HTTP, where browsers offer no `randomUUID`. */
export function newUuid(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, place) => {
    const marked = place === 6 ? (byte & 0x0f) | 0x40 : place === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  });
  return [0, 4, 6, 8, 10].map((from, at, starts) => hex.slice(from, starts[at + 1]).join('')).join('-');
}
