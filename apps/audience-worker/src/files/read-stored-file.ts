import { FILE_CHUNK_BYTES, type FileJobKey, type FileJobsRepository } from '@postrider/persistence';
import type { RawRecord } from '@postrider/platform';

/** A file that is stored in pieces, its size, and its position. */
type StoredFile = FileJobKey & { position: number; bytes: number };

/** Cuts a file into records. */
interface Splitter {
  push(bytes: Buffer): Iterable<RawRecord>;
  end(): Iterable<RawRecord>;
}

/**
 * Reads the records of a stored file from its position. Memory holds two pieces of it: the next one is fetched while the
 * records of one are worked on.
 *
 * @returns for each piece the records that end in it, cut one by one on demand
 */
export async function* readStoredFile(
  files: Pick<FileJobsRepository<unknown>, 'readChunk'>,
  { appId, jobId, position, bytes }: StoredFile,
  splitter: Splitter,
): AsyncGenerator<Iterable<RawRecord>, void> {
  const fetch = (number: number): ReturnType<typeof files.readChunk> | null => {
    if (number * FILE_CHUNK_BYTES >= bytes) return null;
    const fetched = files.readChunk({ appId, jobId }, number);
    // An error is thrown when the piece is awaited.
    fetched.catch(() => undefined);
    return fetched;
  };
  let skipped = position % FILE_CHUNK_BYTES;
  let number = Math.floor(position / FILE_CHUNK_BYTES);
  let next = fetch(number);
  while (next !== null) {
    const chunk = await next;
    // Another worker has processed and deleted it meanwhile: the commit of what was read so far will find that.
    if (!chunk) return;
    next = fetch(++number);
    yield splitter.push(chunk.subarray(skipped));
    skipped = 0;
  }
  yield splitter.end();
}
