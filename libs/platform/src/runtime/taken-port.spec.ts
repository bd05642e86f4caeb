import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { sayTakenPort } from './taken-port';

describe('a port that another program has', () => {
  it('is told in one line with the variable that sets it', async () => {
    const first = createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as AddressInfo;
    const [error] = (await once(createServer().listen(port, '127.0.0.1'), 'error')) as [Error];
    first.close();
    expect(sayTakenPort(error, { port: 1, healthPort: port, mqttPort: 2 })).toBe(
      `Port ${port} at 127.0.0.1 is taken by another process. Stop that one, or choose another port (HEALTH_PORT).`,
    );
    expect(sayTakenPort(error, {})).toBe(
      `Port ${port} at 127.0.0.1 is taken by another process. Stop that one, or choose another port.`,
    );
  });

  it('is not the reason of every failure', () => {
    for (const error of [new Error('no database'), undefined, Object.assign(new Error('no'), { code: 'EACCES' })]) {
      expect(sayTakenPort(error, { port: 1 })).toBeNull();
    }
  });
});
