import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Postrider } from '../postrider';

describe('an upload that the service refuses before it has read the file', () => {
  let server: Server;
  let postrider: Postrider;

  beforeEach(async () => {
    // It reads nothing of the file, so the sender waits.
    server = createServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":{"code":"UNAUTHORIZED","message":"A valid access token is required"}}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    postrider = new Postrider({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' });
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it.each(['as the body', 'as a form'])('ends its source and its connection: %s', async (how) => {
    const closed = new Promise<void>((resolve) =>
      server.once('connection', (socket) => socket.once('close', () => resolve())),
    );
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const file = () => endless(end);
    const upload = how === 'as a form' ? postrider.updateGlobalPromoCodes(file) : postrider.uploadTagFile(file);
    await expect(upload).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401, attempts: 1 });
    await Promise.all([ended, closed]);
  });

  it('ends its source when the caller ends the call', async () => {
    server.removeAllListeners('request');
    const caller = new AbortController();
    server.on('request', () => caller.abort(new Error('enough')));
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const upload = postrider.uploadTagFile(() => endless(end), {}, { signal: caller.signal });
    await expect(upload).rejects.toThrow('enough');
    await ended;
  });
});

async function* endless(end: () => void): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      await Promise.resolve();
      yield Buffer.alloc(65_536);
    }
  } finally {
    end();
  }
}
