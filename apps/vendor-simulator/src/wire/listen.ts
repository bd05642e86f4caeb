import type { Server } from 'node:net';

/**
 * Listens and gives the port, which is a free one when 0 was asked for.
 *
 * @throws the server's own error (`EADDRINUSE` and the like)
 */
export async function listenOn(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((ready, fail) => {
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      ready();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}
