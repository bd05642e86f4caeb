import { type ClientHttp2Session, connect } from 'node:http2';

/** A request of which only the device's token differs from the next. */
export interface SameRequest {
  path: string;
  authorization: string;
  /** The parts of the body before and after the token. */
  head: string;
  tail: string;
}

/** Opens a connection, and waits until the server has said how many requests it takes at a time. */
export async function openSession(url: string, ca: Buffer): Promise<ClientHttp2Session> {
  const session = connect(url, { ca });
  await new Promise((ready, fail) => session.once('remoteSettings', ready).once('error', fail));
  return session;
}

/** Sends one request over `node:http2`. @param onEnd called with an error for any answer but 200 */
export function sendTo(
  session: ClientHttp2Session,
  { path, authorization, head, tail }: SameRequest,
  token: string,
  onEnd: (error?: Error) => void,
): void {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    authorization,
    'content-type': 'application/json',
  });
  let status = 0;
  let text = '';
  stream.on('response', (headers) => (status = Number(headers[':status'])));
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => (text += chunk));
  stream.on('error', onEnd);
  stream.on('end', () => onEnd(status === 200 ? undefined : new Error(`The simulator answered ${status}: ${text}`)));
  stream.end(head + token + tail);
}
