import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DomainError, InvalidRequest } from '@postrider/domain';
import { tooLarge } from '../http/uploads';

/** A file with a higher compression ratio is made to fill a disk. Files of devices have 3 to 20. */
const MOST_RATIO = 200;
/** A small file may have a higher ratio. */
const SMALL_BYTES = 16_777_216;

/**
 * Unpacks a gzip file as it arrives. Memory holds one piece of it.
 *
 * @param most bytes of the unpacked file
 * @throws InvalidRequest if it is not gzip or has a higher compression ratio than any file of devices; DomainError
 * PAYLOAD_TOO_LARGE
 */
export async function* unpack(packed: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer, void> {
  let packedBytes = 0;
  let bytes = 0;
  const counted = Readable.from(
    (async function* count(): AsyncGenerator<Buffer> {
      for await (const piece of packed) {
        packedBytes += piece.length;
        yield piece;
      }
    })(),
  );
  const unpacked = pipeline(counted, createGunzip(), () => undefined);
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > most) throw tooLarge(most);
      if (bytes > SMALL_BYTES && bytes > packedBytes * MOST_RATIO) {
        throw new DomainError('PAYLOAD_TOO_LARGE', `The file unpacks to more than ${MOST_RATIO} times its size`);
      }
      yield piece;
    }
  } catch (error) {
    if (isZlibError(error)) throw new InvalidRequest([{ path: '', message: 'is not a complete gzip file' }]);
    throw error;
  } finally {
    unpacked.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^Z_/.test(code);
}
