import { readFileSync } from 'node:fs';
import type { ClientHttp2Session } from 'node:http2';
import { type ServiceAccount, signIn } from './google-token';
import { openSession, sendTo } from './http2-session';

/** The parent's order: how many requests, their address, and their content. */
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
  const sessions = await Promise.all(Array.from({ length: order.sessions }, () => openSession(order.url, ca)));
  const begun = performance.now();
  await new Promise<void>((done, fail) => {
    let next = 0;
    let answered = 0;
    const [head = '', tail = ''] = order.body.split('%TOKEN%');
    const same = { path: order.path, authorization, head, tail };
    const send = (session: ClientHttp2Session): void => {
      const token = order.tokens[next++];
      if (token === undefined) return;
      sendTo(session, same, token, (error) => {
        if (error) fail(error);
        else if (++answered === order.tokens.length) done();
        else send(session);
      });
    };
    for (const session of sessions) for (let n = 0; n < order.inFlight / order.sessions; n++) send(session);
  });
  const elapsed = performance.now() - begun;
  for (const session of sessions) session.close();
  return elapsed;
}
