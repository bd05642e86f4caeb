import { createServer } from 'node:net';

/** Below the ports that Linux gives to outgoing connections and to servers that name none. */
const FIRST = 10_000;
const BLOCK = 100;
const BLOCKS = 220;

let asked = 0;

/**
 * Returns a TCP port at an address of this machine that nothing listens on at this moment. Processes that ask at the same time get
 * different ports: each has a block of its own by its id.
 * @throws Error if every port of the block is taken
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < BLOCK; tries++) {
    const port = FIRST + (process.pid % BLOCKS) * BLOCK + (asked++ % BLOCK);
    if (await canListen(port, host)) return port;
  }
  throw new Error('No port could be had');
}

async function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, host, () => resolve(true));
  });
  if (isListening) await new Promise((closed) => server.close(closed));
  return isListening;
}
