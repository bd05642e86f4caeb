import { createServer, type Server } from 'node:net';
import { freePort } from '../embedded/free-port';
import { claimPort, PortTaken } from './ports';

// Other systems have one loopback address.
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a port of npm start', () => {
  const HOST = '127.0.0.2';
  let other: Server;
  let port: number;

  beforeEach(async () => {
    port = await freePort(HOST);
    other = createServer();
    await new Promise<void>((listening) => other.listen(port, HOST, listening));
  });
  afterEach(() => new Promise((closed) => other.close(closed)));

  onLinux('is taken if another program listens on it at the address of HOST', async () => {
    await expect(claimPort('PORT', 'gateway', { PORT: String(port), HOST })).rejects.toThrow(PortTaken);
    await expect(claimPort('PORT', 'gateway', { PORT: String(port), HOST: '0.0.0.0' })).rejects.toThrow(PortTaken);
  });

  onLinux('is free if the other program listens at another address', async () => {
    expect(await claimPort('PORT', 'gateway', { PORT: String(port) })).toBe(port);
  });

  it('is not called taken if HOST is an address of another machine', async () => {
    const claim = claimPort('PORT', 'gateway', { PORT: String(port), HOST: '192.0.2.1' });
    await expect(claim).rejects.toThrow('HOST is "192.0.2.1": expected an address of this machine (EADDRNOTAVAIL)');
  });
});
