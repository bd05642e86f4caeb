import { DomainError } from '@postrider/domain';
import { piecesOf } from './pieces-of';

/** How an upload is kept. */
export interface Pieces {
  /** Bytes of each but the last. */
  size: number;
  /** Bytes that the whole may hold. */
  most: number;
  /** Keeps one; numbers begin at 0. */
  keep(piece: Buffer, number: number): Promise<void>;
}

/**
 * Keeps an upload piece by piece, as it comes: the next one is read when the last one is kept.
 *
 * @returns its bytes
 * @throws DomainError PAYLOAD_TOO_LARGE, and whatever `keep` throws
 */
export async function storeInPieces(content: AsyncIterable<Buffer>, { size, most, keep }: Pieces): Promise<number> {
  let bytes = 0;
  let number = 0;
  for await (const piece of piecesOf(content, size)) {
    bytes += piece.length;
    if (bytes > most) throw tooLarge(most);
    await keep(piece, number);
    number += 1;
  }
  return bytes;
}

/** The answer for a file of more than `most` bytes. */
export function tooLarge(most: number): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', `A file may hold at most ${most} bytes`);
}
