import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { Shutdown } from '@postrider/platform';
import fastify from 'fastify';
import { startTestGateway } from '../testing/test-gateway';
import { endConnections } from './end-connections';

const BODY = JSON.stringify({ user: 'ada', content: 'Hello' });

interface Connection {
  socket: Socket;
  /** What came so far. */
  text(): string;
  /** Resolves when text that matches has come. */
  has(pattern: RegExp): Promise<void>;
}

async function open(address: string): Promise<Connection> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'connect');
  return {
    socket,
    text: () => text,
    has: async (pattern) => {
      while (!pattern.test(text)) await once(socket, 'data');
    },
  };
}

function head(token: string, more = ''): string {
  return (
    `POST /api/push/toUsers?access_token=${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${BODY.length}\r\n${more}\r\n`
  );
}

describe('a gateway that stops', () => {
  it('does not wait for a connection that has sent nothing, and ends one that it answers meanwhile', async () => {
    const gateway = await startTestGateway();
    const token = await gateway.application('shop', ['send']);
    const unused = await open(gateway.address);
    const inHand = await open(gateway.address);
    inHand.socket.write(head(token, 'Expect: 100-continue\r\n'));
    await inHand.has(/^HTTP\/1\.1 100 Continue/);
    const unusedEnds = once(unused.socket, 'close');
    const answered = once(inHand.socket, 'close');

    const closed = gateway.close();
    await unusedEnds;
    inHand.socket.write(BODY);
    await answered;

    expect(inHand.text()).toMatch(/HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*\{"count":0\}$/i);
    await closed;
  });

  it('carries out a request whose first bytes came before', async () => {
    const gateway = await startTestGateway();
    const token = await gateway.application('shop', ['send']);
    const unused = await open(gateway.address);
    const caller = await open(gateway.address);
    const request = head(token) + BODY;
    caller.socket.write(request.slice(0, 20));
    const inHand = await open(gateway.address);
    inHand.socket.write(head(token, 'Expect: 100-continue\r\n'));
    await inHand.has(/^HTTP\/1\.1 100 Continue/);
    const unusedEnds = once(unused.socket, 'close');
    const ended = [caller, inHand].map(({ socket }) => once(socket, 'close'));

    const closed = gateway.close();
    await unusedEnds;
    caller.socket.write(request.slice(20));
    inHand.socket.write(BODY);
    await Promise.all(ended);

    expect(caller.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*\{"count":0\}$/i);
    await closed;
  });

  it('answers what comes over an idle connection at that moment, and says there that it ends', async () => {
    const gateway = await startTestGateway();
    const token = await gateway.application('shop', ['send']);
    const callers = await Promise.all([open(gateway.address), open(gateway.address)]);
    for (const { socket, has } of callers) {
      socket.write(head(token) + BODY);
      await has(/\{"count":0\}$/);
    }
    const [first, second] = callers;
    const ended = callers.map(({ socket }) => once(socket, 'close'));

    gateway.app.get(Shutdown).begin();
    const closed = gateway.close();
    first.socket.write(head(token) + BODY);
    await first.has(/connection: close[^]*\{"count":0\}$/i);
    second.socket.write(head(token) + BODY);
    await Promise.all(ended);

    for (const { text } of callers) expect(text().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    await closed;
  });

  it('ends a connection with the end of an answer that it had begun', async () => {
    const server = fastify();
    endConnections(server, { isShuttingDown: false });
    const file = new PassThrough();
    server.get('/file', (_request, reply) => reply.send(file));
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    const unused = await open(address);
    const reader = await open(address);
    file.write('first');
    reader.socket.write('GET /file HTTP/1.1\r\nHost: x\r\n\r\n');
    await reader.has(/first/);
    const unusedEnds = once(unused.socket, 'close');
    const ended = once(reader.socket, 'close');

    const closed = server.close();
    await unusedEnds;
    file.end('last');
    await ended;

    expect(reader.text()).toMatch(/last\r\n0\r\n\r\n$/);
    await closed;
  });
});
