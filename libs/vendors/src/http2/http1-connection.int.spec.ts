import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { throwAwayCertificate, untilTrue } from '@postrider/testing';
import type { Http2Result } from './http2-call';
import type { Http2Pool } from './http2-pool';
import { call, callMany, countKinds, GREETING, PoolStage, stopTime } from './testing/pool-stage';

describe('a server that speaks only HTTP/1.1', () => {
  const stage = new PoolStage('own');
  const servers: Server[] = [];
  let opened = 0;

  beforeEach(() => (opened = 0));
  afterEach(async () => {
    jest.useRealTimers();
    await stage.close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(handle: RequestListener, tls?: { ALPNProtocols?: string[] }): Promise<string> {
    const server = tls ? createSecureServer({ ...throwAwayCertificate(), ...tls }, handle) : createServer(handle);
    servers.push(server);
    server.on(tls ? 'secureConnection' : 'connection', () => opened++);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  function poolTo(origin: string, options: Parameters<PoolStage['poolTo']>[1] = {}): Http2Pool {
    return stage.poolTo(origin, { allowHttp1: true, backoffMs: 10, ca: throwAwayCertificate().cert, ...options });
  }

  async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await request.setEncoding('utf8').toArray();
    const { method, url, headers } = request;
    const { host, ttl, 'content-length': length } = headers;
    response.writeHead(201, { location: '/m/1' }).end(JSON.stringify({ method, url, host, ttl, length, body }));
  }
  const answer: RequestListener = (request, response) => void echo(request, response);

  it.each([
    ['over TLS, as the server chooses', { ALPNProtocols: ['http/1.1'] }],
    ['over TLS, if the server chooses nothing', { ALPNProtocols: [] }],
    ['in clear, once that is found out', undefined],
  ])('gets whole requests and answers them %s', async (_, tls) => {
    const origin = await serve(answer, tls);
    const result = await call(poolTo(origin), '/x?y=1', 'é', { ttl: '60' });
    const { body, ...head } = result as Http2Result & { kind: 'answer' };
    expect(head).toMatchObject({ kind: 'answer', status: 201, headers: { location: '/m/1' } });
    const seen = { method: 'POST', url: '/x?y=1', host: new URL(origin).host, ttl: '60', length: '2', body: ['é'] };
    expect(JSON.parse(body)).toEqual(seen);
  });

  it('gets one request after the other on a connection that it keeps', async () => {
    const pool = poolTo(await serve(answer, {}), { maxSessions: 1 });
    expect(countKinds(await callMany(pool, 20))).toEqual({ answer: 20 });
    expect(opened).toBe(1);
  });

  it('gets as many requests at a time as there may be connections', async () => {
    const waiting: ServerResponse[] = [];
    const pool = poolTo(await serve((_, response) => waiting.push(response), {}), { maxSessions: 3 });
    const results = callMany(pool, 5);
    await untilTrue(() => waiting.length === 3);
    for (const response of waiting.splice(0)) response.end();
    await untilTrue(() => waiting.length === 2);
    for (const response of waiting.splice(0)) response.end();
    expect(countKinds(await results)).toEqual({ answer: 5 });
    expect(opened).toBe(3);
  });

  it('may close the connection after each answer', async () => {
    const pool = poolTo(await serve((_, response) => response.setHeader('connection', 'close').end(), {}));
    expect(countKinds(await callMany(pool, 10))).toEqual({ answer: 10 });
  });

  it('gets the requests that follow in HTTP/1.1 at once', async () => {
    const pool = poolTo(await serve((_, response) => response.setHeader('connection', 'close').end()));
    for (let index = 0; index < 3; index++) expect(await call(pool)).toMatchObject({ kind: 'answer', status: 200 });
    expect(opened).toBe(4);
  });

  it('gets nothing if that is not allowed', async () => {
    const handle = jest.fn();
    const secure = poolTo(await serve(handle, {}), { allowHttp1: false });
    expect(await call(secure)).toMatchObject({ kind: 'unsent' });
    const clear = poolTo(await serve(handle), { allowHttp1: false });
    expect(await call(clear)).toMatchObject({ kind: 'unsent' });
    expect(handle).not.toHaveBeenCalled();
  });

  it('has answered nothing if it cuts its answer, or closes without one', async () => {
    const cut = poolTo(
      await serve((_, response) => {
        response.setHeader('content-length', 10);
        response.write('x', () => response.destroy());
      }, {}),
    );
    expect(await call(cut)).toMatchObject({ kind: 'unanswered', code: 'CONNECTION_LOST' });
    const mute = poolTo(await serve((request) => request.socket.destroy(), {}));
    expect(await call(mute)).toMatchObject({ kind: 'unanswered', code: 'CONNECTION_LOST' });
  });

  it('has a deadline, and its connection is not used any more', async () => {
    const origin = await serve((request, response) => request.url === '/silence' || response.end(), {});
    stopTime();
    const pool = poolTo(origin, { deadlineMs: 300, maxSessions: 1 });
    expect(await call(pool)).toMatchObject({ kind: 'answer', status: 200 });
    const never = call(pool, '/silence');
    jest.advanceTimersByTime(1_000);
    expect(await never).toMatchObject({ kind: 'unanswered', code: 'DEADLINE' });
    expect(await call(pool)).toMatchObject({ kind: 'answer', status: 200 });
    expect(opened).toBe(2);
  });

  it('is not read to the end if its answer has none', async () => {
    const pool = poolTo(await serve((_, response) => response.end('x'.repeat(3_000_000)), {}));
    expect(await call(pool)).toMatchObject({ kind: 'unanswered', code: 'ANSWER_TOO_LONG' });
  });

  it('gets HTTP/2 again if it takes no HTTP/1.1 either', async () => {
    const begins: string[] = [];
    const replies = [
      (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      (socket: Socket) => socket.destroy(),
      (socket: Socket) => socket.write(GREETING),
    ];
    const { origin, sockets } = await stage.listen((socket) => {
      socket.once('data', (data: Buffer) => {
        begins.push(data.toString('latin1').slice(0, 3));
        replies.shift()?.(socket);
      });
    });
    const pool = poolTo(origin);
    expect(await call(pool)).toMatchObject({ kind: 'unanswered' });
    const second = call(pool);
    await untilTrue(() => begins.length === 3);
    expect(begins).toEqual(['PRI', 'POS', 'PRI']);
    for (const socket of sockets) socket.destroy();
    await second;
  });
});
