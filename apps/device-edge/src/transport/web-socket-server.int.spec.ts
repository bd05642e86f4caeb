import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { fakeTimeouts, untilTrue } from '@postrider/testing';
import { WebSocket } from 'ws';
import type { SessionFactory } from '../session/session-factory.service';
import { createWebSocketServer } from './web-socket-server';

const WITHIN_MS = 10_000;
const opened: unknown[] = [];
const sockets: Socket[] = [];
const sessions = {
  open: (port: unknown) => opened.push(port),
  gone: () => undefined,
} as unknown as SessionFactory;

let server: Server;
let port: number;

beforeAll(async () => {
  // Like the listeners' server: it listens on nothing itself, so none of Node's own time limits apply.
  const http = createWebSocketServer(sessions, 1_000, WITHIN_MS);
  server = createServer((socket) => http.emit('connection', socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  opened.length = 0;
  fakeTimeouts();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const said = async (text: string): Promise<Socket> => {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const [[atServer]] = await Promise.all([accepted, once(socket, 'connect')]);
  socket.on('error', () => undefined);
  if (text !== '') socket.write(text);
  await untilTrue(() => atServer.bytesRead === text.length);
  return socket;
};

it.each([
  ['says nothing', ''],
  ['never ends its request', 'GET / HTTP/1.1\r\nHost: edge'],
])('the WebSocket server drops a connection that %s', async (_, text) => {
  const socket = await said(text);
  socket.resume();
  const closed = once(socket, 'close');
  jest.advanceTimersByTime(WITHIN_MS);
  await closed;
});

it('the WebSocket server leaves a connection alone that has become a WebSocket in time', async () => {
  const device = new WebSocket(`ws://127.0.0.1:${port}/`, ['mqtt']);
  await once(device, 'open');
  jest.advanceTimersByTime(WITHIN_MS);
  device.ping();
  const answered = once(device, 'pong').then(() => 'answered');
  expect(await Promise.race([answered, once(device, 'close')])).toBe('answered');
  expect(opened).toHaveLength(1);
  device.terminate();
  await once(device, 'close');
});

it('the WebSocket server lets the system ask whether a device is still there, which may have asked for no keep-alive of MQTT', async () => {
  const asked = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const device = new WebSocket(`ws://127.0.0.1:${port}/`, ['mqtt']);
  const clients: unknown[] = [];
  device.on('upgrade', ({ socket }) => clients.push(socket));
  await once(device, 'open');
  const byServer = asked.mock.contexts.filter((socket) => !clients.includes(socket));
  expect(byServer).toHaveLength(1);
  expect(asked).toHaveBeenCalledWith(true, expect.any(Number));
  device.terminate();
  await once(device, 'close');
});

it('closes a connection that cuts a message into more frames than any client does, since each of them takes memory', async () => {
  const device = new WebSocket(`ws://127.0.0.1:${port}/`, ['mqtt']);
  await once(device, 'open');
  const closed = once(device, 'close');
  for (let frame = 0; frame < 1_025; frame++) device.send(Buffer.alloc(0), { fin: false });
  device.ping();
  const answer = await Promise.race([closed, once(device, 'pong').then(() => 'still open')]);
  device.terminate();
  expect(answer).toEqual([1_008, expect.anything()]);
});
