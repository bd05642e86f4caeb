import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError, type ErrorDetail, InvalidRequest } from '@postrider/domain';
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { newId } from '@postrider/platform';
import { readBasePath } from '../auth/base-address';
import { answerTo, sendError } from './errors/error-body';

/** A name of 255 characters, each four bytes percent-encoded. */
const MAX_PARAM_LENGTH = 255 * 12;
/** Paths that contain tags, which people often send unencoded. */
const TAG_OF_USER = /^\/api\/installations\/(?:addTag|removeTag)\/([^/]*)\/([^/]*)\/?$/;
const KEEP_ALIVE_MS = 72_000;
/** A connection without any traffic for this long is closed. An upload in progress has `UPLOAD_TIMEOUT_SECONDS`. */
const STALLED_MS = 120_000;

/** Rewrites the URL of a request. Undefined leaves it unchanged. */
export type Rewrite = (request: Pick<IncomingMessage, 'url' | 'headers'>) => string | undefined;

/** The options of Fastify: the router, the limits, and its answers before any of our code runs. */
export function fastifyOptions(maxBodyBytes: number, rewrite: Rewrite): FastifyServerOptions {
  return {
    logger: false,
    bodyLimit: maxBodyBytes,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: STALLED_MS,
    // A request whose first bytes came before the gateway began to stop is carried out.
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request),
    rewriteUrl: (request) => rewrite(request) ?? joinChannelName(readBasePath(request.url ?? '/').url),
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnreadable,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
  };
}

/** A path with bad percent-encoding, or with a part that is too long, never reaches a route. */
function answerUnroutable(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const path = readBasePath(request.raw.url ?? '').url.split('?')[0] ?? '';
  void sendError(reply.header('x-request-id', request.id), new InvalidRequest(badPartsOf(path)));
}

/** The bad parameters of a tag's path; for any other path, the whole path. */
function badPartsOf(path: string): ErrorDetail[] {
  const [, userId = '', tag = ''] = TAG_OF_USER.exec(path) ?? [];
  const parts = Object.entries({ user_id: userId, tag }).filter(([, part]) => !isReadable(part));
  const names = parts.length > 0 ? parts.map(([name]) => name) : [path.slice(0, 200)];
  return names.map((name) => ({ path: name, message: 'is badly encoded, or a part of it is too long' }));
}

function isReadable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return part.length <= MAX_PARAM_LENGTH;
  } catch {
    return false;
  }
}

/** Answers bytes that are not an HTTP request. */
function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const { status, body: answer } = answerTo(errorOf(error.code));
  const body = JSON.stringify(answer);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Translates an error of Node's parser or timer into ours. */
function errorOf(code: string | undefined): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') return new DomainError('HEADERS_TOO_LARGE', 'The headers are too large');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new DomainError('PAYLOAD_TOO_LARGE', 'The extensions of a chunk are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new DomainError('REQUEST_TIMEOUT', 'The request did not arrive in time');
  return new DomainError('INVALID_REQUEST', 'The request is not HTTP');
}

/**
 * A channel of either kind, written as two parts of a path. `/public/` and `/private/` are the possible beginnings of a
 * name.
 */
const IN_TWO_PARTS = /^\/api\/channels\/(public|private)\/([^/?#]+)(?=\/members\/?(?:[?#]|$)|\/?(?:[?#]|$))/;

/**
 * Allows `/api/channels/private/alerts`: the slash of the channel's name becomes `%2F`, so that the name is one part of
 * the path. `/api/channels/private/members` is the private channel `members`.
 */
export function joinChannelName(url: string): string {
  return url.startsWith('/api/channels/p') ? url.replace(IN_TWO_PARTS, '/api/channels/$1%2F$2') : url;
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The caller's own `X-Request-Id` if it is fit to be logged and echoed, else a new one. */
function requestIdOf(request: { headers: IncomingHttpHeaders }): string {
  return givenRequestId(request) ?? newId();
}

/** The caller's own `X-Request-Id` if it is fit to be logged and echoed. */
export function givenRequestId({ headers }: { headers: IncomingHttpHeaders }): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined;
}
