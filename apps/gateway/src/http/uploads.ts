import type { HttpAdapterHost } from '@nestjs/core';
import { type Clock, DomainError, InvalidRequest } from '@postrider/domain';
import { FILE_CHUNK_BYTES, type FileJobKey, type FileJobsRepository } from '@postrider/persistence';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Bodies that a route reads by itself. */
interface UnreadBodies {
  /** Media types. */
  types: readonly string[];
  /** Where they are taken, as Fastify spells routes; everywhere else they are no content that is taken. */
  routes: readonly string[];
  /** Whether the body is a text, which has to be UTF-8. */
  isText: boolean;
  /** Whether it may come packed (`Content-Encoding: gzip`); the route unpacks it. */
  mayBePacked?: boolean;
}

/** Media type under which a JSON file is passed on unparsed, see `@TakesJsonFile()`. */
export const JSON_FILE = 'application/x-postrider-json-file';

const NO_CODING = /^\s*(?:identity)?\s*$/i;
const GZIP = /^\s*(?:x-)?gzip\s*$/i;
const READABLE_CHARSET = /^(?:utf-?8|us-ascii)$/i;

/** Hands bodies on to their route as they arrive, unread. What cannot be read is refused before a byte is. */
export function takeUnread(adapter: HttpAdapterHost, bodies: UnreadBodies): void {
  const fastify = adapter.httpAdapter.getInstance<FastifyInstance>();
  const takers = TAKERS.get(fastify) ?? new Map<string, UnreadBodies[]>();
  TAKERS.set(fastify, takers);
  for (const type of bodies.types) {
    const known = takers.get(type);
    if (known) known.push(bodies);
    else takers.set(type, addParser(fastify, type, [bodies]));
  }
}

/** Who takes a type: Fastify has one parser for each. */
const TAKERS = new WeakMap<FastifyInstance, Map<string, UnreadBodies[]>>();

/** The media types of the files that a route takes, as callers send them; none: the route takes no file. */
export function typesTakenUnread(fastify: FastifyInstance, route: string): string[] {
  const takers = [...(TAKERS.get(fastify) ?? [])].filter(([, bodies]) =>
    bodies.some(({ routes }) => routes.includes(route)),
  );
  return [...new Set(takers.map(([type]) => (type === JSON_FILE ? 'application/json' : type)))];
}

function addParser(fastify: FastifyInstance, type: string, takers: UnreadBodies[]): UnreadBodies[] {
  fastify.addContentTypeParser(type, (request, payload, done) => {
    const bodies = takers.find(({ routes }) => routes.includes(request.routeOptions.url ?? ''));
    const refusal = bodies ? refusalOf(request, bodies) : unreadable('The body must be application/json');
    if (refusal) done(refusal);
    else done(null, payload);
  });
  return takers;
}

function refusalOf(request: FastifyRequest, { isText, mayBePacked = false }: UnreadBodies): DomainError | null {
  const { headers } = request;
  const isPlain = isReadableCoding(headers['content-encoding'] ?? '', mayBePacked);
  if (isText) {
    const isReadable = isPlain && READABLE_CHARSET.test(charsetOf(headers['content-type'] ?? ''));
    return isReadable
      ? null
      : unreadable(`The file must be UTF-8, ${mayBePacked ? 'plain or packed by gzip' : 'not compressed'}`);
  }
  return isPlain ? null : unreadable('The file must not be compressed');
}

function isReadableCoding(coding: string, mayBePacked: boolean): boolean {
  return NO_CODING.test(coding) || (mayBePacked && GZIP.test(coding));
}

function charsetOf(contentType: string): string {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
}

function unreadable(message: string): DomainError {
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', message);
}

/** How an upload is kept. */
interface Pieces {
  /** Bytes of each but the last. */
  size: number;
  /** Bytes that the whole may hold. */
  most: number;
  /** Keeps one; numbers begin at 0. */
  keep(piece: Buffer, number: number): Promise<void>;
}

/**
 * Keeps an upload piece by piece, as it comes: one is kept while the next one is read. When this ends nothing is being kept any more.
 *
 * @returns its bytes
 * @throws DomainError PAYLOAD_TOO_LARGE, and whatever `keep` throws
 */
export async function storeInPieces(content: AsyncIterable<Buffer>, { size, most, keep }: Pieces): Promise<number> {
  let bytes = 0;
  let number = 0;
  let keeping: Promise<void> = Promise.resolve();
  try {
    for await (const piece of piecesOf(content, size)) {
      bytes += piece.length;
      if (bytes > most) throw tooLarge(most);
      await keeping;
      keeping = keep(piece, number);
      // It is looked at when the next piece is there.
      keeping.catch(() => undefined);
      number += 1;
    }
    await keeping;
    return bytes;
  } finally {
    await keeping.catch(() => undefined);
  }
}

/** When recovery enqueues the job again if the first one was lost. */
const UNHEARD_AFTER_MS = 5_000;

/** Where a file is kept that a worker works. */
interface KeptFile {
  files: Pick<FileJobsRepository<unknown>, 'insertChunk' | 'start' | 'delete'>;
  key: FileJobKey;
  /** Bytes that it may hold. */
  most: number;
  clock: Clock;
  /** Told when what was kept of a file that did not come whole cannot be deleted now; recovery gives it up later. */
  onKept(error: unknown): void;
}

/**
 * Keeps a file whose row is there, as it comes, and gives it to the workers: once this returns it is worked, whatever happens to Redis
 * or to this process. When it throws nothing is kept.
 *
 * @returns its bytes
 * @throws InvalidRequest for an empty file, DomainError PAYLOAD_TOO_LARGE
 */
export async function keepFile(
  content: AsyncIterable<Buffer>,
  { files, key, most, clock, onKept }: KeptFile,
): Promise<number> {
  try {
    const bytes = await storeInPieces(content, {
      size: FILE_CHUNK_BYTES,
      most,
      keep: (piece, number) => files.insertChunk(key, number, piece),
    });
    if (bytes === 0) throw new InvalidRequest([{ path: '', message: 'must hold at least one line' }]);
    const wakeAt = new Date(clock.now().getTime() + UNHEARD_AFTER_MS);
    if (await files.start(key, { bytes, wakeAt })) return bytes;
    throw new DomainError('UNAVAILABLE', 'The upload took too long');
  } catch (error) {
    await files.delete(key).catch(onKept);
    throw error;
  }
}

/** The answer for a file of more than `most` bytes. */
export function tooLarge(most: number): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', `A file may hold at most ${most} bytes`);
}

/**
 * Cuts a stream of bytes into pieces of `size`; the last one may be shorter. Holds one piece, and the stream is read no faster than the
 * pieces are taken.
 */
async function* piecesOf(stream: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (let bytes of stream) {
    while (length + bytes.length >= size) {
      const cut = size - length;
      yield Buffer.concat([...parts, bytes.subarray(0, cut)], size);
      bytes = bytes.subarray(cut);
      parts = [];
      length = 0;
    }
    if (bytes.length === 0) continue;
    parts.push(bytes);
    length += bytes.length;
  }
  if (length > 0) yield Buffer.concat(parts, length);
}
