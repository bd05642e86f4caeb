import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { RestingConnections } from '../ledger/resting-connections';
import { WebSocketPort } from './web-socket-port';

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

it('closes at once a connection that is ended while it is held up: the answer to the Close frame is still read', async () => {
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  browser = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(browser, 'open');
  const port = new WebSocketPort((await accepted)[0], '', new RestingConnections());
  const closed = once(browser, 'close') as Promise<[number]>;
  const from = performance.now();
  port.pause();
  port.end();
  expect((await closed)[0]).toBe(1_000);
  expect(performance.now() - from).toBeLessThan(1_000);
});
