import { connect, type ClientHttp2Session, type ClientSessionOptions, type IncomingHttpHeaders } from 'node:http2';
import type { OutgoingHttpHeaders, SecureClientSessionOptions } from 'node:http2';

/** The answer on a stream. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A stream that ended without an answer; the code is HTTP/2's (RFC 9113 §7), 0 when the connection went first. */
export class StreamBroken extends Error {
  constructor(readonly resetCode: number) {
    super(`The stream was broken (${resetCode})`);
  }
}

/** One HTTP/2 connection without any logic: a test sees exactly the bytes on the wire. */
export class RawHttp2Client {
  readonly session: ClientHttp2Session;
  /** The opaque data of each GOAWAY that came, as text. */
  readonly goodbyes: string[] = [];

  /** @param ca the authority to trust */
  constructor(origin: string, ca: string, options: ClientSessionOptions | SecureClientSessionOptions = {}) {
    this.session = connect(origin, { ca, ...options });
    this.session.on('error', () => undefined);
    this.session.on('goaway', (_code, _last, data) => this.goodbyes.push(data ? Buffer.from(data).toString() : ''));
  }

  /**
   * Sends one request and waits for all of its answer.
   *
   * @throws StreamBroken when the stream ends without one
   */
  request(headers: OutgoingHttpHeaders, body?: string | Buffer): Promise<RawAnswer> {
    return new Promise((answered, broken) => {
      const stream = this.session.request(headers);
      let received: IncomingHttpHeaders | undefined;
      const chunks: Buffer[] = [];
      stream.on('response', (answer) => (received = answer));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => undefined);
      stream.on('close', () => {
        if (received === undefined) broken(new StreamBroken(stream.rstCode ?? 0));
        else {
          const status = Number(received[':status']);
          answered({ status, headers: received, body: Buffer.concat(chunks).toString('utf8') });
        }
      });
      stream.end(body);
    });
  }

  /** A POST with a JSON body. */
  post(path: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<RawAnswer> {
    const fields = { ':method': 'POST', ':path': path, 'content-type': 'application/json', ...headers };
    return this.request(fields, typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** A POST with a form. */
  postForm(path: string, form: Record<string, string>, headers: OutgoingHttpHeaders = {}): Promise<RawAnswer> {
    const type = 'application/x-www-form-urlencoded';
    const fields = { ':method': 'POST', ':path': path, 'content-type': type, ...headers };
    return this.request(fields, new URLSearchParams(form).toString());
  }

  /** Drops the connection. */
  close(): void {
    this.session.destroy();
  }
}
