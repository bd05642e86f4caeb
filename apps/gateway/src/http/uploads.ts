import type { Readable } from 'node:stream';
import type { HttpAdapterHost } from '@nestjs/core';
import { type Clock, DomainError, InvalidRequest } from '@postrider/domain';
import { FILE_CHUNK_BYTES, type FileJobKey, type FileJobsRepository } from '@postrider/persistence';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Bodies that a route reads itself. */
interface UnreadBodies {
  /** Media types. */
  types: readonly string[];
  /** The routes that accept them, in Fastify's spelling. Other routes do not accept these types. */
  routes: readonly string[];
  /** True if the body is text, which must be UTF-8. */
  isText: boolean;
  /** True if it may be compressed (`Content-Encoding: gzip`). The route unpacks it. */
  mayBePacked?: boolean;
}

/** The media type under which a JSON file is passed on unparsed, see `@TakesJsonFile()`. */
export const JSON_FILE = 'application/x-postrider-json-file';

const NO_CODING = /^(?:identity)?$/i;
const GZIP = /^(?:x-)?gzip$/i;
const READABLE_CHARSET = /^(?:utf-?8|us-ascii)$/i;

/** The media type of a request's body, without its parameters. Empty: it names none. */
export function mediaTypeOf({ headers }: FastifyRequest): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Passes bodies to their route as they arrive, unread. A body that cannot be read is refused before a byte is read. */
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

/** The routes for each type: Fastify has one parser per type. */
const TAKERS = new WeakMap<FastifyInstance, Map<string, UnreadBodies[]>>();

/** The error for a body whose type a route does not accept, with the types that it accepts. */
export function refusalOfType(fastify: FastifyInstance, { routeOptions }: FastifyRequest): DomainError {
  const files = typesTakenUnread(fastify, routeOptions.url ?? '');
  const types = files.length === 0 ? 'application/json in UTF-8' : files.join(', ').replace(/, (?=[^,]*$)/, ' or ');
  return unreadable(`The body must be ${types}`);
}

/** The media types of the files that a route accepts. Empty: it accepts no file. */
function typesTakenUnread(fastify: FastifyInstance, route: string): string[] {
  const takers = [...(TAKERS.get(fastify) ?? [])].filter(([, bodies]) =>
    bodies.some(({ routes }) => routes.includes(route)),
  );
  return [...new Set(takers.map(([type]) => (type === JSON_FILE ? 'application/json' : type)))];
}

function addParser(fastify: FastifyInstance, type: string, takers: UnreadBodies[]): UnreadBodies[] {
  fastify.addContentTypeParser(type, (request, payload, done) => {
    const bodies = takers.find(({ routes }) => routes.includes(request.routeOptions.url ?? ''));
    const refusal = bodies ? refusalOf(request, bodies) : refusalOfType(fastify, request);
    if (refusal) done(refusal);
    else done(null, payload);
  });
  return takers;
}

function refusalOf(request: FastifyRequest, { isText, mayBePacked = false }: UnreadBodies): DomainError | null {
  const { headers } = request;
  const isPlain = isReadableCoding(headers['content-encoding'] ?? '', mayBePacked);
  if (isText) {
    const isReadable = isPlain && isReadableCharset(headers['content-type'] ?? '');
    return isReadable
      ? null
      : unreadable(`The file must be UTF-8, ${mayBePacked ? 'plain or compressed by gzip' : 'not compressed'}`);
  }
  return isPlain ? null : unreadable('The file must not be compressed');
}

/** True for the `Content-Encoding` of a body that is not compressed, or that may be. */
export function isReadableCoding(contentEncoding: string, mayBePacked: boolean): boolean {
  // Not by `\s*` at both ends of an expression: Node.js leaves no-break spaces, and the time would grow with their square.
  const coding = contentEncoding.trim();
  return NO_CODING.test(coding) || (mayBePacked && GZIP.test(coding));
}

/** True for the `Content-Type` of text in UTF-8. */
export function isReadableCharset(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  return READABLE_CHARSET.test(charset);
}

function unreadable(message: string): DomainError {
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', message);
}

/**
 * How long an upload may go without being renewed. Then its gateway has died, and recovery fails it. Renewals do not
 * depend on the sender, who may be slow.
 */
const UPLOAD_LEASE_MS = 60_000;
const RENEW_EVERY_MS = 15_000;

/** Returns when an upload counts as cut off that begins or is renewed now. */
export function uploadLease(clock: Clock): Date {
  return new Date(clock.now().getTime() + UPLOAD_LEASE_MS);
}

/** How an upload is stored. */
interface Pieces {
  /** The size of each piece except the last. */
  size: number;
  /** The most bytes of the whole upload. */
  most: number;
  clock: Clock;
  /** Says that the upload still arrives. Resolves to false if it was given up or cancelled meanwhile. */
  renew(giveUpAt: Date): Promise<boolean>;
  /** Stores a piece. Numbers begin at 0. */
  keep(piece: Buffer, number: number): Promise<void>;
}

/**
 * Stores an upload piece by piece, as it arrives: it stores one piece while it reads the next one, and renews the
 * upload meanwhile. When it ends, it stores nothing any more.
 * @returns its size
 * @throws DomainError PAYLOAD_TOO_LARGE, UNAVAILABLE if the upload was given up meanwhile, and errors of `keep`
 */
export async function storeInPieces(content: AsyncIterable<Buffer>, pieces: Pieces): Promise<number> {
  const { size, most, clock, renew, keep } = pieces;
  let bytes = 0;
  let number = 0;
  let keeping: Promise<void> = Promise.resolve();
  let isGivenUp = false;
  const timer = setInterval(() => {
    // A renewal that fails is repeated in time.
    const renewed = renew(uploadLease(clock)).catch(() => true);
    void renewed.then((isAlive) => (isGivenUp ||= !isAlive));
  }, RENEW_EVERY_MS).unref();
  try {
    for await (const piece of piecesOf(withoutSmallPieces(content, size), size)) {
      bytes += piece.length;
      if (bytes > most) throw tooLarge(most);
      if (isGivenUp) throw givenUp();
      await keeping;
      keeping = keep(piece, number);
      // The error is handled when the next piece is there.
      keeping.catch(() => undefined);
      number += 1;
    }
    await keeping;
    return bytes;
  } finally {
    clearInterval(timer);
    await keeping.catch(() => undefined);
  }
}

/** When recovery enqueues the job again if the first one was lost. */
const UNHEARD_AFTER_MS = 5_000;

/** Where a file for a worker is stored. */
interface KeptFile {
  files: Pick<FileJobsRepository<unknown>, 'insertChunk' | 'renew' | 'start' | 'delete'>;
  key: FileJobKey;
  /** The most bytes of the file. */
  most: number;
  clock: Clock;
  /** Called if the stored part of an incomplete file cannot be deleted now. Recovery deletes it later. */
  onKept(error: unknown): void;
}

/**
 * Stores a file, whose row exists, as it arrives, and gives it to the workers. Once this returns, the file will be
 * processed, whatever happens to Redis or to this process. If it throws, nothing is stored.
 *
 * @returns its size
 * @throws InvalidRequest for an empty file, DomainError PAYLOAD_TOO_LARGE, UNAVAILABLE if the upload was given up or
 * cancelled meanwhile, or its application was deleted
 */
export async function keepFile(
  content: AsyncIterable<Buffer>,
  { files, key, most, clock, onKept }: KeptFile,
): Promise<number> {
  try {
    const bytes = await storeInPieces(content, {
      size: FILE_CHUNK_BYTES,
      most,
      clock,
      renew: (giveUpAt) => files.renew(key, giveUpAt),
      keep: async (piece, number) => {
        if (!(await files.insertChunk(key, number, piece))) throw givenUp();
      },
    });
    if (bytes === 0) throw new InvalidRequest([{ path: '', message: 'must hold at least one line' }]);
    const wakeAt = new Date(clock.now().getTime() + UNHEARD_AFTER_MS);
    if (await files.start(key, { bytes, wakeAt })) return bytes;
    throw givenUp();
  } catch (error) {
    await files.delete(key).catch(onKept);
    throw error;
  }
}

/** The answer for an upload that was given up or cancelled while it arrived. */
export function givenUp(): DomainError {
  return new DomainError('UNAVAILABLE', 'The upload was given up meanwhile; send the file again');
}

/** The answer for a file of more than `most` bytes. */
export function tooLarge(most: number): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', `A file may hold at most ${most} bytes`);
}

/** A sender can send a file byte by byte. Each piece costs its reader some work, and far more memory than its bytes. */
const SMALL_BYTES = 1_024;
const JOINED_BYTES = 65_536;
const NOTHING = Buffer.alloc(0);

/** The bytes of an upload. A reader that stops in the middle leaves the connection open for the answer. */
export function bytesOf(upload: Readable): AsyncIterable<Buffer> {
  return upload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

/**
 * Joins small pieces of a stream, up to 64 KiB or `most` bytes. They are held until there are so many, a larger piece
 * comes, or the stream ends.
 */
export async function* withoutSmallPieces(
  stream: AsyncIterable<Buffer>,
  most = JOINED_BYTES,
): AsyncGenerator<Buffer, void> {
  const room = Math.min(most, JOINED_BYTES);
  const small = Math.min(SMALL_BYTES, room);
  let joined = NOTHING;
  let length = 0;
  const take = (): Buffer => {
    const taken = joined.subarray(0, length);
    joined = NOTHING;
    length = 0;
    return taken;
  };
  for await (const bytes of stream) {
    if (bytes.length >= small) {
      yield length === 0 ? bytes : Buffer.concat([take(), bytes]);
      continue;
    }
    if (length === 0) joined = Buffer.allocUnsafe(room);
    length += bytes.copy(joined, length);
    if (length > room - small) yield take();
  }
  if (length > 0) yield take();
}

/**
 * Cuts a stream of bytes into pieces of `size`; the last one may be shorter. Holds one piece, and reads the stream no
 * faster than the pieces are taken.
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
