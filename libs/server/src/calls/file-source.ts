import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';

/** The chunks of a file. Text is sent as UTF-8. */
export type FileChunks = AsyncIterable<Uint8Array | string>;

/**
 * A file to upload: the path of one on disk, bytes, or chunks. It is streamed, so that its size does not matter. Chunks can be read
 * once, so their upload is not repeated when it fails; a function that begins again is better.
 */
export type FileSource = { path: string } | Blob | Uint8Array | FileChunks | (() => FileChunks);

/** A file that is opened for one request. */
export interface OpenFile {
  name: string;
  chunks: AsyncGenerator<Uint8Array>;
  /** Why the file could not be read to its end. */
  failure: () => { error: unknown } | null;
  /** Ends the source, with the next chunk at the latest. */
  close(): Promise<void>;
}

/** True if a file can be read from its beginning again. */
export function isRepeatable(source: FileSource): boolean {
  return typeof source === 'function' || source instanceof Uint8Array || source instanceof Blob || isOnDisk(source);
}

/** Opens a file. @throws the error of the file system, if the file is on disk */
export async function openFile(source: FileSource): Promise<OpenFile> {
  const handle = isOnDisk(source) ? await open(source.path) : null;
  let failed: { error: unknown } | null = null;
  let isClosed = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunksOf(source, handle)) {
        // `fetch` goes on to read a body whose request has ended, and throws it away.
        if (isClosed) return;
        yield typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
      }
    } catch (error) {
      if (isClosed) return;
      failed = { error };
      throw error;
    }
  }
  return {
    name: isOnDisk(source) ? basename(source.path) : 'file',
    chunks: chunks(),
    failure: () => failed,
    close: async () => {
      isClosed = true;
      await handle?.close();
    },
  };
}

/** The file as the part `file` of a form (RFC 7578). */
export function asForm({ name, chunks }: OpenFile): { contentType: string; body: AsyncGenerator<Uint8Array> } {
  const boundary = `postrider-${randomUUID()}`;
  const fileName = name.replaceAll(/["\r\n\\]/g, '_');
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\n` +
        'content-type: application/octet-stream\r\n\r\n',
    );
    yield* chunks;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: body() };
}

function isOnDisk(source: FileSource): source is { path: string } {
  return typeof source === 'object' && 'path' in source && !(Symbol.asyncIterator in source);
}

function chunksOf(source: FileSource, handle: FileHandle | null): FileChunks | Iterable<Uint8Array> {
  if (handle !== null) return handle.createReadStream({ autoClose: false });
  if (typeof source === 'function') return source();
  if (source instanceof Uint8Array) return [source];
  if (source instanceof Blob) return source.stream();
  return source as FileChunks;
}
