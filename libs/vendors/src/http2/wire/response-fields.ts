import type { IncomingHttpHeaders } from 'node:http2';
import type { OpenStream } from '../client-connection';

/** RFC 9113 §8.2.1: no upper case, no control characters, no space, no colon; a pseudo-field's colon is looked at before. */
const VALID_NAME = /^[!-9;-@[-`a-z{-~]+$/;
/** RFC 9113 §8.2.1: what would end a field, and blanks around it. */
const INVALID_VALUE = /[\0\r\n]|^[ \t]|[ \t]$/;
/** They belong to one HTTP/1.1 connection (RFC 9113 §8.2.2). */
const CONNECTION_SPECIFIC = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
]);
const STATUS = /^[1-9]\d\d$/;
const CONTENT_LENGTH = /^\d{1,15}$/;
/** Answers without content, whatever length they name (RFC 9110 §6.4.1). */
const WITHOUT_CONTENT = new Set([204, 304]);
/** Names that were found valid: servers use a few dozen. */
const validNames = new Set<string>();
const MOST_REMEMBERED = 256;

/** A decoded header list of an answer. */
export interface ResponseHead {
  readonly streamId: number;
  /** 0 when it has none: trailers. */
  readonly status: number;
  /** Answers that are alike share it: do not change it. */
  readonly headers: IncomingHttpHeaders;
  readonly endsStream: boolean;
  /** Why its fields are malformed by themselves (RFC 9113 §8.1.1), or null. */
  readonly fault: string | null;
  /** What it cost to read it: the bytes of the block, and of the fields that the block means. */
  readonly bytes: number;
}

/** Collects the fields of one header list and finds errors in them (RFC 9113 §8.2, §8.3). */
export class ResponseFields {
  readonly headers = Object.create(null) as IncomingHttpHeaders;
  status = 0;
  fault: string | null = null;
  /** The length of all names and values. */
  bytes = 0;
  #hasRegular = false;

  add(name: string, value: string): void {
    this.bytes += name.length + value.length;
    if (INVALID_VALUE.test(value)) this.fault ??= `The value of ${name} is invalid`;
    if (name.startsWith(':')) {
      this.#addPseudo(name, value);
      return;
    }
    this.#hasRegular = true;
    if (!isValidName(name)) this.fault ??= `The field ${name} is invalid, or belongs to a connection`;
    const { headers } = this;
    if (name === 'set-cookie') (headers[name] ??= []).push(value);
    else headers[name] = name in headers ? `${String(headers[name])}, ${value}` : value;
  }

  /**
   * RFC 9113 §8.3.2: `:status` is the only pseudo-header of an answer, appears once, and comes before all other fields.
   */
  #addPseudo(name: string, value: string): void {
    if (name !== ':status') this.fault ??= 'An answer has a pseudo-field beside :status';
    else if (this.status > 0) this.fault ??= 'An answer has two :status';
    else if (this.#hasRegular) this.fault ??= ':status stands behind a field';
    else if (!STATUS.test(value)) this.fault ??= 'The :status is no number of three digits';
    else this.status = Number(value);
  }
}

/**
 * Finds the error of a header list at its place in the stream (RFC 9113 §8.1, §8.1.1).
 * @returns why, or null
 */
export function faultOfHead(stream: OpenStream, { status, headers, endsStream, fault }: ResponseHead): string | null {
  if (fault !== null) return fault;
  if (stream.hasHead) {
    if (status > 0) return 'Trailers have a :status';
    return endsStream ? null : 'Trailers do not end the stream';
  }
  if (status === 0) return 'An answer has no :status';
  return status < 200 ? faultOfInterim(status, endsStream) : faultOfLength(headers['content-length']);
}

/** RFC 9113 §8.1, §8.6: it never ends a stream, and there is no upgrade. */
function faultOfInterim(status: number, endsStream: boolean): string | null {
  if (status === 101) return 'An answer switches protocols';
  return endsStream ? 'An interim answer ends the stream' : null;
}

function faultOfLength(length: string | undefined): string | null {
  return length === undefined || CONTENT_LENGTH.test(length) ? null : 'The content-length is no number';
}

/**
 * Returns the content length that an answer announces; null if it announces none, or has no content whatever it
 * announces.
 */
export function announcedLength({ status, headers }: ResponseHead): number | null {
  const length = headers['content-length'];
  return length === undefined || WITHOUT_CONTENT.has(status) ? null : Number(length);
}

function isValidName(name: string): boolean {
  if (validNames.has(name)) return true;
  if (!VALID_NAME.test(name) || CONNECTION_SPECIFIC.has(name)) return false;
  if (validNames.size < MOST_REMEMBERED) validNames.add(name);
  return true;
}
