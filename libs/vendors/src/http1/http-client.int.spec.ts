import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { untilTrue } from '@postrider/testing';
import { holdTimeouts } from '../testing/held-timeouts';
import { standStillUntilAnswered } from '../testing/standstill';
import { HttpClient, type HttpResult } from './http-client';

/** Longer than a test takes: the machine's speed fails none. */
const DEADLINE_MS = 250_000;
/** How long the client waits for a whole answer. */
const ANSWER_MS = 2 * DEADLINE_MS;

describe('an HTTP/1.1 request', () => {
  const servers: Server[] = [];
  const clients: HttpClient[] = [];
  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  const clientOf = (deadlineMs: number, connections = 2): HttpClient => {
    const client = new HttpClient({ allowPrivateEndpoints: true, deadlineMs, connections });
    clients.push(client);
    return client;
  };

  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(clients.splice(0).map((client) => client.close()));
    for (const server of servers.splice(0)) server.close();
  });

  it('has the answer that came while the process stood still', async () => {
    const client = clientOf(DEADLINE_MS);
    const send = (port: number): Promise<HttpResult> => client.post(new URL(`http://127.0.0.1:${port}`), {}, 'x');
    const result = await standStillUntilAnswered(send, ANSWER_MS);
    expect(result).toMatchObject({ kind: 'answer', status: 200, body: 'ok' });
  });

  it('was surely not sent when the handshake before it was cut', async () => {
    const port = await listen(createServer((socket) => socket.on('error', () => undefined).destroy()));
    const result = await clientOf(DEADLINE_MS).post(new URL(`https://127.0.0.1:${port}`), {}, 'x');
    expect(result).toMatchObject({ kind: 'unsent', code: 'ECONNRESET' });
  });

  it('was surely not sent when the server speaks no TLS', async () => {
    const port = await listen(
      // A socket whose data nobody reads does not notice that the client has gone, and stays open.
      createServer((socket) =>
        socket
          .on('error', () => undefined)
          .resume()
          .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      ),
    );
    const result = await clientOf(DEADLINE_MS).post(new URL(`https://127.0.0.1:${port}`), {}, 'x');
    expect(result).toMatchObject({ kind: 'unsent' });
  });

  it('may have been sent when the connection was cut after it', async () => {
    const port = await listen(createServer((socket) => socket.once('data', () => socket.destroy())));
    const result = await clientOf(DEADLINE_MS).post(new URL(`http://127.0.0.1:${port}`), {}, 'x');
    expect(result).toMatchObject({ kind: 'unanswered' });
  });

  it('leaves the connection to the next one when it is not to be sent any more', async () => {
    let connections = 0;
    const received: string[] = [];
    const server = createServer((socket) => {
      connections += 1;
      socket.on('data', (data) => {
        received.push(data.toString());
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
      socket.on('error', () => undefined);
    });
    const url = new URL(`http://127.0.0.1:${await listen(server)}`);
    const client = clientOf(DEADLINE_MS, 1);
    const late = { bytes: Buffer.from('late'), beforeWrite: (): boolean => false };
    expect(await client.post(url, {}, late)).toMatchObject({ kind: 'unsent', code: 'WITHDRAWN' });
    expect(await client.post(url, {}, 'in time')).toMatchObject({ kind: 'answer', status: 200 });
    expect(await client.post(url, {}, late)).toMatchObject({ kind: 'unsent', code: 'WITHDRAWN' });
    expect(await client.post(url, {}, 'in time')).toMatchObject({ kind: 'answer', status: 200 });
    expect(connections).toBe(1);
    expect(received.join()).not.toContain('late');
  });

  it('ends although its answer never does', async () => {
    let isAnswering = false;
    const deadline = holdTimeouts(ANSWER_MS);
    const port = await listen(
      createServer((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
          const trickle = setInterval(() => socket.write('x'), 20);
          socket.on('close', () => clearInterval(trickle));
          isAnswering = true;
        });
        socket.on('error', () => undefined);
      }),
    );
    const result = clientOf(DEADLINE_MS).post(new URL(`http://127.0.0.1:${port}`), {}, 'x');
    await untilTrue(() => isAnswering);
    await deadline.pass();
    expect(await result).toMatchObject({ kind: 'unanswered', code: 'ANSWER_TOO_SLOW' });
  });

  it('keeps no idle connection for as long as a request may take, although the server offers it', async () => {
    let isOpen = false;
    const port = await listen(
      createServer((socket) => {
        isOpen = true;
        const answer = 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 2\r\n\r\nok';
        socket.on('data', () => socket.write(answer)).on('close', () => (isOpen = false));
        socket.on('error', () => undefined);
      }),
    );
    await clientOf(1_500).post(new URL(`http://127.0.0.1:${port}`), {}, 'x');
    await untilTrue(() => !isOpen);
  });
});
