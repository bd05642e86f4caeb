import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { HttpClient } from '../http1/http-client';
import { WebhookClient } from '../webhooks/webhook-client';

const INTERIM = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
const FINAL = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

describe('interim answers before the answer', () => {
  let server: Server;
  let interim: number;
  let url: URL;
  const options = { allowPrivateEndpoints: true, deadlineMs: 250_000 };
  const http = new HttpClient(options);
  const webhooks = new WebhookClient({ ...options, connectionsPerOrigin: 1 });

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        if (chunk.toString().endsWith('{}')) socket.write(INTERIM.repeat(interim) + FINAL);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await Promise.all([http.close(), webhooks.close()]);
    server.close();
  });

  it('are passed over', async () => {
    interim = 3;
    expect(await http.post(url, {}, '{}')).toMatchObject({ kind: 'answer', status: 200, body: 'ok' });
    expect(await webhooks.post(url.href, {}, '{}')).toMatchObject({ kind: 'answer', status: 200 });
  });

  it('are not read without end', async () => {
    interim = 1_000;
    const problem = { code: 'TOO_MANY_INTERIM_ANSWERS', reason: 'The server sent more than 20 interim answers' };
    expect(await http.post(url, {}, '{}')).toEqual({ kind: 'unanswered', ...problem });
    expect(await webhooks.post(url.href, {}, '{}')).toEqual({ kind: 'failure', ...problem });
  });
});
