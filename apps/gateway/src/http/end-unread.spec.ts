import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { openText } from './csv';
import { endUnread } from './end-unread';

const PARTS = 100;

describe('a stream', () => {
  const server = fastify();
  let written: number;
  let closed: Promise<unknown>;

  async function* parts(): AsyncGenerator<string, void> {
    while (written < PARTS) {
      written += 1;
      yield await Promise.resolve('x'.repeat(65_536));
    }
  }

  beforeAll(async () => {
    server.addHook('onRoute', endUnread);
    server.get('/export', async (_request, reply) => {
      const stream: Readable = await openText(parts());
      closed = once(stream, 'close');
      return reply.type('text/csv').send(stream);
    });
    await server.ready();
  });

  afterAll(() => server.close());

  beforeEach(() => {
    written = 0;
  });

  it('ends with the answer to HEAD, of which it is no part', async () => {
    const answer = await server.inject({ method: 'HEAD', url: '/export' });
    await closed;
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'text/csv', '']);
    expect(written).toBeLessThan(PARTS / 10);
  });

  it('is sent whole to GET', async () => {
    const answer = await server.inject({ method: 'GET', url: '/export' });
    await closed;
    expect(answer.body).toHaveLength(PARTS * 65_536);
  });
});
