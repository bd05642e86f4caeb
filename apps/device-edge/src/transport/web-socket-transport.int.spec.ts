import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { LingeringConnections } from '../session/lingering-connections';
import { WebSocketTransport } from './web-socket-transport';

let server: WebSocketServer;
let browser: WebSocket;

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
afterAll(async () => {
  browser.terminate();
  server.close();
  await once(server, 'close');
});

it('the WebSocket transport closes a connection in order that is ended while it is held up: the answer to the Close frame is still read', async () => {
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  browser = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(browser, 'open');
  const [socket] = await accepted;
  const port = new WebSocketTransport(socket, new LingeringConnections());
  const ends = Promise.all([once(browser, 'close'), once(socket, 'close')]);
  port.pause();
  port.end();
  // A socket that was terminated with the answer unread would report 1006.
  expect((await ends).map(([code]) => code as number)).toEqual([1_000, 1_000]);
});
