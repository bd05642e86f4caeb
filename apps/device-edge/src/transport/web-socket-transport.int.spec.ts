import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { LingeringConnections } from '../session/lingering-connections';
import { WebSocketTransport } from './web-socket-transport';

let server: WebSocketServer;
let browser: WebSocket;
let socket: WebSocket;

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
beforeEach(async () => {
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  browser = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(browser, 'open');
  [socket] = await accepted;
});
afterEach(() => browser.terminate());
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

it('the WebSocket transport closes a connection in order that is ended while it is held up: the answer to the Close frame is still read', async () => {
  const port = new WebSocketTransport(socket, new LingeringConnections());
  const ends = Promise.all([once(browser, 'close'), once(socket, 'close')]);
  port.pause();
  port.end();
  // A socket that was terminated with the answer unread would report 1006.
  expect((await ends).map(([code]) => code as number)).toEqual([1_000, 1_000]);
});

it('the WebSocket transport answers a lingering client that asks now and then, and closes one that asks without end', async () => {
  const pingreq = Buffer.of(0xc0, 0x00);
  const pingresp = Buffer.of(0xd0, 0x00);
  const answers: Buffer[] = [];
  browser.on('message', (data: Buffer) => answers.push(data));
  new WebSocketTransport(socket, new LingeringConnections()).linger({ device: null });
  browser.send(pingreq);
  await once(browser, 'message');
  expect(answers).toEqual([pingresp]);
  const closed = once(browser, 'close');
  for (let n = 0; n < 10_000; n++) browser.send(pingreq);
  expect((await closed)[0]).toBe(1_000);
  expect(answers.length).toBeLessThan(1_000);
});
