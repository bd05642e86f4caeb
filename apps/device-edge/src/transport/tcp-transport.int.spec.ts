import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TcpTransport } from './tcp-transport';

it('the TCP transport closes a connection whose device goes on sending after its end', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  // It ignores that the other side has ended.
  const device = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  device.on('error', () => undefined);
  const [socket] = await accepted;
  const closed = once(socket, 'close');
  new TcpTransport(socket).end();
  const sending = setInterval(() => device.write('.'), 100);
  await closed;
  clearInterval(sending);
  device.destroy();
  server.close();
  expect(socket.bytesRead).toBeGreaterThan(0);
});
