import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import type { Http2Result, QueuedCall } from './http2-call';

/** An answer larger than this is cut: no vendor's is, and memory stays bounded. */
const MAX_BODY_BYTES = 65_536;

const CODE_NAMES = new Map(
  Object.entries(constants)
    .filter(([name]) =>
      /^NGHTTP2_(NO_ERROR|[A-Z]+_ERROR|REFUSED_STREAM|STREAM_CLOSED|CANCEL|ENHANCE_YOUR_CALM)$/.test(name),
    )
    .filter(([, value]) => typeof value === 'number' && value >= 0)
    .map(([name, value]) => [value as number, name.replace('NGHTTP2_', '')]),
);

/** One try of a call on one stream. */
export class Exchange {
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] | null = null;
  #bytes = 0;
  #error: Error | null = null;
  #overdue = false;

  constructor(
    readonly queued: QueuedCall,
    readonly stream: ClientHttp2Stream,
    readonly startedAt: number,
    onEnd: (exchange: Exchange) => void,
    onAnswer: () => void,
  ) {
    stream.on('response', (headers) => {
      this.#status = headers[':status'] ?? 0;
      this.#headers = headers;
      onAnswer();
    });
    stream.on('data', (chunk: Buffer) => this.#collect(chunk));
    stream.on('error', (error: Error) => (this.#error = error));
    stream.on('close', () => onEnd(this));
    stream.end(queued.call.body);
  }

  get status(): number {
    return this.#status;
  }

  get isOverdue(): boolean {
    return this.#overdue;
  }

  /** Gives up waiting: the stream is reset and ends as `unanswered`. */
  giveUp(): void {
    this.#overdue = true;
    this.stream.close(constants.NGHTTP2_CANCEL);
  }

  /** @param lastStreamId the highest stream the server said it processed, when it sent GOAWAY */
  result(lastStreamId: number | null): Http2Result {
    if (this.#status > 0) {
      const body = this.#chunks ? Buffer.concat(this.#chunks).toString('utf8') : '';
      return { kind: 'answer', status: this.#status, headers: this.#headers, body };
    }
    if (this.#overdue) return { kind: 'unanswered', code: 'DEADLINE', reason: 'No answer within the deadline' };
    const reason = this.#error?.message ?? 'The stream was closed without an answer';
    if (this.#isUntouched(lastStreamId)) return { kind: 'unsent', code: 'REFUSED_STREAM', reason, retryAfterMs: null };
    const code = this.stream.rstCode ?? 0;
    return {
      kind: 'unanswered',
      code: code === 0 ? 'CONNECTION_LOST' : (CODE_NAMES.get(code) ?? `HTTP2_${code}`),
      reason,
    };
  }

  /** RFC 9113 §8.7: REFUSED_STREAM, and streams above GOAWAY's last stream id, were not processed. */
  #isUntouched(lastStreamId: number | null): boolean {
    const { id, rstCode } = this.stream;
    return (
      id === undefined || rstCode === constants.NGHTTP2_REFUSED_STREAM || (lastStreamId !== null && id > lastStreamId)
    );
  }

  #collect(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_BODY_BYTES) (this.#chunks ??= []).push(chunk);
  }
}
