import { openTunnel, HttpsProxy, TunnelAgent } from '@postrider/platform';
import { type ConnectProxy, startConnectProxy, startHttp2Server, throwAwayCertificate } from '@postrider/testing';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { HttpClient } from '../http1/http-client';
import type { Http2Result } from '../http2/http2-call';
import { Http2Pool } from '../http2/http2-pool';
import { WebhookClient } from '../webhooks/webhook-client';

const { cert: ca, key } = throwAwayCertificate();
/** An address of the public internet, which the proxy takes for this machine. */
const PUBLIC = '93.184.215.14';
const DEADLINE_MS = 250_000;

/** Starts an HTTPS server that answers with the requested address. */
async function startHttps(): Promise<{ server: Server; port: number }> {
  const server = createServer({ cert: ca, key }, ({ url, method }, response) => response.end(`${method} ${url}`));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  return { server, port: (server.address() as AddressInfo).port };
}

describe('what goes out through a proxy', () => {
  let through: ConnectProxy;
  let proxy: HttpsProxy;
  let https: { server: Server; port: number };
  const closing: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    through = await startConnectProxy('ops:secret');
    proxy = new HttpsProxy(through.url, 'direct.example.test, 10.0.0.0/8');
    https = await startHttps();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    https.server.closeAllConnections();
    https.server.close();
    await through.close();
  });

  function httpClient(options: { allowH2?: boolean; allowPrivateEndpoints?: boolean } = {}): HttpClient {
    const client = new HttpClient({ allowPrivateEndpoints: true, deadlineMs: DEADLINE_MS, ca, proxy, ...options });
    closing.push(() => client.close());
    return client;
  }

  function webhookClient(allowPrivateEndpoints: boolean): WebhookClient {
    const options = { deadlineMs: DEADLINE_MS, connectionsPerOrigin: 1, ca, proxy };
    const client = new WebhookClient({ ...options, allowPrivateEndpoints });
    closing.push(() => client.close());
    return client;
  }

  it.each(['own', 'node'] as const)('HTTP/2 (%s), many requests over one tunnel, by the name', async (client) => {
    const vendor = await startHttp2Server(({ answer, body }) => answer(200, { got: body }), { tls: true });
    const origin = new URL(`https://push.example.test:${vendor.port}`);
    const times = { deadlineMs: DEADLINE_MS, connectTimeoutMs: DEADLINE_MS, probeAfterMs: DEADLINE_MS };
    const pool = new Http2Pool({ origin, allowPrivateEndpoints: false, maxSessions: 1, ca, proxy, client, ...times });
    closing.push(
      () => pool.close(),
      () => vendor.close(),
    );
    const send = (body: string): Promise<Http2Result> =>
      new Promise((done) =>
        pool.send({ compose: () => ({ headers: { ':method': 'POST', ':path': '/3/device' }, body }), done }),
      );
    const answers = await Promise.all(['one', 'two', 'three'].map(send));
    expect(answers).toMatchObject(
      ['one', 'two', 'three'].map((got) => ({ kind: 'answer', status: 200, body: JSON.stringify({ got }) })),
    );
    expect(through.asked).toEqual([`push.example.test:${vendor.port}`]);
    expect(vendor.opened).toBe(1);
  });

  it('HTTP/1.1, and HTTP/2 where undici speaks it', async () => {
    const url = new URL(`https://sms.example.test:${https.port}/send`);
    for (const allowH2 of [false, true]) {
      expect(await httpClient({ allowH2 }).post(url, {}, 'hello')).toMatchObject({ status: 200, body: 'POST /send' });
    }
    expect(through.asked).toEqual(Array(2).fill(`sms.example.test:${https.port}`));
  });

  it('traces', async () => {
    const agent = new TunnelAgent(new URL(through.url));
    closing.push(() => {
      agent.destroy();
      return Promise.resolve();
    });
    const status = await new Promise((answered, failed) => {
      const options = { host: 'traces.example.test', port: https.port, path: '/v1/traces', method: 'POST', agent, ca };
      request(options, (response) => answered(response.resume().statusCode))
        .on('error', failed)
        .end();
    });
    expect(status).toBe(200);
    expect(through.asked).toEqual([`traces.example.test:${https.port}`]);
  });

  it('webhooks: at an address that was checked here, never a private one, and by the name where private ones are allowed', async () => {
    expect(await webhookClient(true).post(`https://hook.example.test:${https.port}/`, {}, '{}')).toMatchObject({
      status: 200,
    });
    const guarded = webhookClient(false);
    // The certificate is not for that address: it was reached, and TLS is spoken with the server.
    expect(await guarded.post(`https://${PUBLIC}:${https.port}/`, {}, '{}')).toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(through.asked).toEqual([`hook.example.test:${https.port}`, `${PUBLIC}:${https.port}`]);
    expect(await guarded.post('https://192.168.0.1/', {}, '{}')).toMatchObject({ code: 'PRIVATE_ADDRESS' });
    expect(await guarded.post('https://nowhere.invalid/', {}, '{}')).toMatchObject({ kind: 'failure' });
    expect(through.asked).toHaveLength(2);
  });

  it('is asked for the address to which a name was resolved here', async () => {
    await new Promise<void>((opened, failed) => {
      const tunnel = openTunnel({
        proxy: new URL(through.url),
        host: 'hook.example.test',
        port: https.port,
        lookup: (_name, _options, found) => found(null, PUBLIC, 4),
        onOpen: () => opened(void tunnel.destroy()),
        onFailure: failed,
      });
    });
    expect(through.asked).toEqual([`${PUBLIC}:${https.port}`]);
  });

  it('is surely not sent when the proxy refuses', async () => {
    const url = new URL(`https://sms.example.test:${https.port}/`);
    through.answerWith(403);
    expect(await httpClient().post(url, {}, '')).toMatchObject({
      kind: 'unsent',
      code: 'PROXY_FAILED',
      reason: 'The proxy did not let us through: 403 Refused',
    });
    await through.close();
    expect(await httpClient().post(url, {}, '')).toMatchObject({ kind: 'unsent', code: 'PROXY_FAILED' });
  });

  it('does not go through it where it is this machine, plain http, or an exception', async () => {
    expect(await httpClient().post(new URL(`https://127.0.0.1:${https.port}/`), {}, '')).toMatchObject({ status: 200 });
    expect(through.asked).toEqual([]);
    const leads = (url: string): boolean => proxy.for(new URL(url)) !== undefined;
    expect(leads('https://localhost/')).toBe(false);
    expect(leads('http://out.example.test/')).toBe(false);
    expect(leads('https://a.direct.example.test/')).toBe(false);
    expect(leads('https://10.1.2.3/')).toBe(false);
    expect(leads('https://indirect.example.test/')).toBe(true);
  });
});
