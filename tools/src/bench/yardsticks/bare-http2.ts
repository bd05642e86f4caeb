import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { type ServiceAccount, signIn } from './google-token';

/** What the parent asks for: how many requests, where to, and what they carry. */
interface Order {
  url: string;
  ca: string;
  path: string;
  account: ServiceAccount;
  /** The body with `%TOKEN%` where the device's token goes. */
  body: string;
  tokens: string[];
  sessions: number;
  inFlight: number;
}

/**
 * The yardstick of the fan-out, run as a process of its own: the same requests to the same simulator over HTTP/2, as fast as
 * node:http2 goes, recording nothing. Takes an `Order` over IPC and answers with the milliseconds it took.
 */
process.once('message', (order: Order) => {
  void run(order).then((milliseconds) => {
    process.send?.({ milliseconds });
    process.disconnect();
  });
});

async function run(order: Order): Promise<number> {
  const ca = readFileSync(order.ca);
  const authorization = await signIn(order.account);
  const sessions = await Promise.all(Array.from({ length: order.sessions }, () => open(order.url, ca)));
  const begun = performance.now();
  await new Promise<void>((done, fail) => {
    let next = 0;
    let answered = 0;
    const [head = '', tail = ''] = order.body.split('%TOKEN%');
    const send = (session: ClientHttp2Session): void => {
      const token = order.tokens[next++];
      if (token === undefined) return;
      const stream = session.request({
        ':method': 'POST',
        ':path': order.path,
        authorization,
        'content-type': 'application/json',
      });
      let status = 0;
      let text = '';
      stream.on('response', (headers) => (status = Number(headers[':status'])));
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => (text += chunk));
      stream.on('error', fail);
      stream.on('end', () => {
        if (status !== 200) {
          fail(new Error(`The simulator answered ${status}: ${text}`));
          return;
        }
        if (++answered === order.tokens.length) done();
        else send(session);
      });
      stream.end(head + token + tail);
    };
    for (const session of sessions) for (let n = 0; n < order.inFlight / order.sessions; n++) send(session);
  });
  const elapsed = performance.now() - begun;
  for (const session of sessions) session.close();
  return elapsed;
}

async function open(url: string, ca: Buffer): Promise<ClientHttp2Session> {
  const session = connect(url, { ca });
  await new Promise((ready, fail) => session.once('remoteSettings', ready).once('error', fail));
  return session;
}
