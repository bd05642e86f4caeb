import fc from 'fast-check';
import { createServer, type Http2Server, type ServerHttp2Session, type Settings } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import { Http2Connection } from './http2-connection';

const servers: Http2Server[] = [];
const sessions: ServerHttp2Session[] = [];

afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Starts a server that answers with the request's headers that begin with `x-`, and its body. */
async function startEcho(settings: Settings = {}): Promise<Http2Connection> {
  const server = createServer({ settings });
  servers.push(server);
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const mine = Object.entries(headers).filter(([name]) => name.startsWith('x-'));
      stream.respond({ ':status': 200, ...Object.fromEntries(mine) });
      stream.end(Buffer.concat(chunks));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return new Promise((ready) => {
    const connection: Http2Connection = new Http2Connection(
      socket,
      { scheme: 'http', authority: 'vendor.test' },
      { onSettings: () => ready(connection), onGoAway: () => undefined, onClose: () => undefined },
    );
  });
}

function ask(
  connection: Http2Connection,
  headers: OutgoingHttpHeaders,
  body: string,
): Promise<{ headers: IncomingHttpHeaders; body: string; end: string }> {
  return new Promise((done) => {
    const answer = { headers: {} as IncomingHttpHeaders, body: '' };
    connection.request({ ':method': 'POST', ':path': '/', ...headers }, body, {
      onHead: (_, received) => void (answer.headers = received),
      onData: (data) => {
        answer.body += data.toString('latin1');
        return true;
      },
      onEnd: ({ kind }) => done({ ...answer, end: kind }),
    });
  });
}

describe('beside nghttp2', () => {
  it.each<[string, Settings]>([
    ['as it comes', {}],
    ['without a header table', { headerTableSize: 0 }],
    ['with a small header table', { headerTableSize: 100 }],
    ['with small windows', { initialWindowSize: 17 }],
  ])('%s, headers and bodies arrive as they were sent, both ways', async (_, settings) => {
    const connection = await startEcho(settings);
    // With small windows a longer body takes more frames than a server may send (`FloodGuard`).
    const longest = 'é'.repeat(settings.initialWindowSize === undefined ? 20_000 : 300);
    const value = fc.oneof(
      fc.constantFrom('again', 'and again', 'w'.repeat(300)),
      fc.string({ unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)), maxLength: 60 }),
    );
    const request = fc.record({
      headers: fc.dictionary(fc.constantFrom('x-a', 'x-b', 'x-c', 'x-long-name-of-a-header'), value),
      body: fc.oneof(fc.constant(''), fc.string({ maxLength: 300 }), fc.constant(longest)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 20 }), async (requests) => {
        const answers = await Promise.all(requests.map(({ headers, body }) => ask(connection, headers, body)));
        answers.forEach((answer, place) => {
          const { headers, body } = requests[place]!;
          expect(answer.end).toBe('complete');
          expect(answer.headers).toMatchObject(headers);
          expect(answer.body).toBe(Buffer.from(body).toString('latin1'));
        });
      }),
      { numRuns: 30 },
    );
    connection.destroy(null);
  });

  it('takes many answers on one connection: its window is opened again and again', async () => {
    const connection = await startEcho();
    const body = 'x'.repeat(50_000);
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(connection, {}, body)));
      for (const answer of answers) expect(answer.body.length).toBe(50_000);
    }
    connection.destroy(null);
  });
});
