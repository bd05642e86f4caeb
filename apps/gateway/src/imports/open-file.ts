import type { Readable } from 'node:stream';
import { InvalidRequest } from '@postrider/domain';
import { bytesOf, withoutSmallPieces } from '../http/uploads';
import { unpack } from './unpack';

/**
 * The first bytes of files that are not UTF-8 text, and what their senders can do. gzip: RFC 1952 §2.3.1; zip: APPNOTE
 * §4.3.
 */
const GZIP = Buffer.from([0x1f, 0x8b]);
const UTF_16 = 'is UTF-16; save it as UTF-8';
const REFUSED: readonly [Buffer, string][] = [
  [Buffer.from('PK\x03\x04', 'latin1'), 'is a zip archive; unpack it'],
  [Buffer.from('PK\x05\x06', 'latin1'), 'is a zip archive; unpack it'],
  [Buffer.from('PK\x07\x08', 'latin1'), 'is a zip archive; unpack it'],
  [Buffer.from([0xff, 0xfe]), UTF_16],
  [Buffer.from([0xfe, 0xff]), UTF_16],
];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** The number of bytes that show the type of a file. */
const SIGNATURE_BYTES = 4;

/**
 * Opens an uploaded file. gzip is unpacked, whether or not the upload declares it.
 *
 * @param isPacked true if the upload is declared as gzip
 * @param most bytes of the unpacked file
 * @returns the file, unpacked
 * @throws InvalidRequest for a file that is empty, a zip archive, UTF-16, or packed twice; the file throws what
 * `unpack` throws
 */
export async function openFile(
  sent: Readable,
  { isPacked, most }: { isPacked: boolean; most: number },
): Promise<AsyncIterable<Buffer>> {
  const file = await begin(withoutSmallPieces(bytesOf(sent)));
  if (!isPacked && !startsWith(file.signature, GZIP)) return file.content;
  const unpacked = await begin(unpack(file.content, most));
  if (startsWith(unpacked.signature, GZIP)) throw refused('is compressed by gzip twice; decompress it once');
  return unpacked.content;
}

/** Reads the bytes that show the type of a file. @returns them, and the whole file again @throws InvalidRequest */
async function begin(file: AsyncIterable<Buffer>): Promise<{ signature: Buffer; content: AsyncIterable<Buffer> }> {
  const pieces = file[Symbol.asyncIterator]();
  let read: Buffer = Buffer.alloc(0);
  while (read.length < SIGNATURE_BYTES) {
    const next = await pieces.next();
    if (next.done === true) break;
    read = read.length === 0 ? next.value : Buffer.concat([read, next.value]);
  }
  const signature = read.subarray(0, SIGNATURE_BYTES);
  const problem = problemOf(signature);
  if (problem === null) return { signature, content: joined([read], pieces) };
  await pieces.return?.();
  throw refused(problem);
}

function problemOf(signature: Buffer): string | null {
  if (signature.length === 0 || signature.equals(BYTE_ORDER_MARK)) return 'is empty';
  if (isUnmarkedUtf16(signature)) return UTF_16;
  return REFUSED.find(([start]) => startsWith(signature, start))?.[1] ?? null;
}

/** True for two characters of ASCII in UTF-16 without a mark: every other byte is NUL. */
function isUnmarkedUtf16(signature: Buffer): boolean {
  if (signature.length < SIGNATURE_BYTES) return false;
  const isNul = [...signature].map((byte) => byte === 0);
  return isNul[0] !== isNul[1] && isNul[0] === isNul[2] && isNul[1] === isNul[3];
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

function refused(message: string): InvalidRequest {
  return new InvalidRequest([{ path: '', message }]);
}

/** The pieces that were already read of a file, and then the rest of it. */
export async function* joined(read: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* read;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
