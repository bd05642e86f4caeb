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
 * Reads the records of a stored file from its position. Memory holds one piece of it.
 *
 * @returns for each piece the records that end in it, cut one by one on demand
 */
export async function* readStoredFile(
  files: Pick<FileJobsRepository<unknown>, 'readChunk'>,
  { appId, jobId, position, bytes }: StoredFile,
  splitter: Splitter,
): AsyncGenerator<Iterable<RawRecord>, void> {
  let skipped = position % FILE_CHUNK_BYTES;
  for (let number = Math.floor(position / FILE_CHUNK_BYTES); number * FILE_CHUNK_BYTES < bytes; number++) {
    const chunk = await files.readChunk({ appId, jobId }, number);
    // Another worker has processed and deleted it meanwhile: the commit of what was read so far will find that.
    if (!chunk) return;
    yield splitter.push(chunk.subarray(skipped));
    skipped = 0;
  }
  yield splitter.end();
}
