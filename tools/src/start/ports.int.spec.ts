import { createServer, type Server } from 'node:net';
import { freePort } from '../embedded/free-port';
import { claimPort, PortTaken } from './ports';
import { claimPorts } from './system';

// Other systems have one loopback address.
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a port of npm start', () => {
  const HOST = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
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

  onLinux('is looked at for MQTT over TLS too, if the edge has a certificate', async () => {
    const others = { PORT: '0', SIMULATOR_PORT: '0', SIMULATOR_CONTROL_PORT: '0', MQTT_PORT: '0', MQTT_WS_PORT: '0' };
    const env = { ...others, HOST, MQTT_TLS_PORT: String(port) };
    expect(await claimPorts(env)).not.toHaveProperty('mqttTls');
    await expect(claimPorts({ ...env, MQTT_TLS_CERT: 'tls.crt', MQTT_TLS_KEY: 'tls.key' })).rejects.toThrow(
      `Port ${port} (MQTT over TLS) is taken by another process. Stop that one, or choose another: MQTT_TLS_PORT=`,
    );
  });

  it('is not called taken if HOST is an address of another machine', async () => {
    const claim = claimPort('PORT', 'gateway', { PORT: String(port), HOST: '192.0.2.1' });
    await expect(claim).rejects.toThrow('HOST is "192.0.2.1": expected an address of this machine (EADDRNOTAVAIL)');
  });
});
