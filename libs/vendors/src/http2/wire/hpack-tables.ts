import { ERROR, Http2ProtocolError } from './frame';

/** Header fields that every peer knows (RFC 7541 appendix A); the first has index 1. */
export const STATIC_TABLE: readonly (readonly [name: string, value: string])[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language', ''],
  ['accept-ranges', ''],
  ['accept', ''],
  ['access-control-allow-origin', ''],
  ['age', ''],
  ['allow', ''],
  ['authorization', ''],
  ['cache-control', ''],
  ['content-disposition', ''],
  ['content-encoding', ''],
  ['content-language', ''],
  ['content-length', ''],
  ['content-location', ''],
  ['content-range', ''],
  ['content-type', ''],
  ['cookie', ''],
  ['date', ''],
  ['etag', ''],
  ['expect', ''],
  ['expires', ''],
  ['from', ''],
  ['host', ''],
  ['if-match', ''],
  ['if-modified-since', ''],
  ['if-none-match', ''],
  ['if-range', ''],
  ['if-unmodified-since', ''],
  ['last-modified', ''],
  ['link', ''],
  ['location', ''],
  ['max-forwards', ''],
  ['proxy-authenticate', ''],
  ['proxy-authorization', ''],
  ['range', ''],
  ['referer', ''],
  ['refresh', ''],
  ['retry-after', ''],
  ['server', ''],
  ['set-cookie', ''],
  ['strict-transport-security', ''],
  ['transfer-encoding', ''],
  ['user-agent', ''],
  ['vary', ''],
  ['via', ''],
  ['www-authenticate', ''],
];

/** The first static index of each name. */
export const STATIC_NAMES: ReadonlyMap<string, number> = new Map(
  [...STATIC_TABLE].map(([name], place) => [name, place + 1] as const).reverse(),
);

/**
 * The number of bits of each octet's code; the last is the end of a string (RFC 7541 appendix B). The code is
 * canonical: its bits follow from the lengths.
 */
// prettier-ignore
const LENGTHS = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];

const END_OF_STRING = 256;
/** A string may end in up to seven bits of padding, all ones (RFC 7541 §5.2). */
const MAX_PADDING_BITS = 7;

/** Two entries a node, for a 0 and for a 1: the next node, or `-1 - octet` at a leaf. */
const TREE = buildTree();

/**
 * Decodes a Huffman-coded string of a header field (RFC 7541 §5.2): one character an octet.
 *
 * @throws Http2ProtocolError COMPRESSION_ERROR when it is not one
 */
export function decodeHuffman(coded: Buffer): string {
  const octets = Buffer.allocUnsafe(Math.ceil((coded.length * 8) / 5));
  let length = 0;
  let node = 0;
  let depth = 0;
  let isAllOnes = true;
  for (const octet of coded) {
    for (let bit = 7; bit >= 0; bit--) {
      const turn = (octet >> bit) & 1;
      isAllOnes &&= turn === 1;
      depth += 1;
      node = TREE[2 * node + turn] as number;
      if (node >= 0) continue;
      if (node === -1 - END_OF_STRING) throw badString();
      octets[length++] = -1 - node;
      node = 0;
      depth = 0;
      isAllOnes = true;
    }
  }
  if (depth > MAX_PADDING_BITS || !isAllOnes) throw badString();
  return octets.toString('latin1', 0, length);
}

function badString(): Http2ProtocolError {
  return new Http2ProtocolError(ERROR.COMPRESSION_ERROR, 'A header field is not Huffman-coded as it says');
}

function buildTree(): Int32Array {
  const tree = new Int32Array(2 * LENGTHS.length);
  let nodes = 1;
  let code = 0;
  let previous = 0;
  const octets = [...LENGTHS.keys()].sort((a, b) => lengthOf(a) - lengthOf(b) || a - b);
  for (const octet of octets) {
    const length = lengthOf(octet);
    code <<= length - previous;
    previous = length;
    let node = 0;
    for (let bit = length - 1; bit > 0; bit--) {
      const place = 2 * node + ((code >> bit) & 1);
      if (tree[place] === 0) tree[place] = nodes++;
      node = tree[place] as number;
    }
    tree[2 * node + (code & 1)] = -1 - octet;
    code += 1;
  }
  return tree;
}

function lengthOf(octet: number): number {
  return LENGTHS[octet] as number;
}
