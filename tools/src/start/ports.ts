import { createServer } from 'node:net';
import { freePort } from '../embedded/free-port';

/** A port that the start needs and somebody else has. */
export class PortTaken extends Error {
  constructor(port: number, purpose: string, variable: string) {
    super(
      `Port ${port} (${purpose}) is taken by another process. Stop that one, or choose another: ${variable}=<port> npm start`,
    );
  }
}

/**
 * The port that `variable` names, or `fallback`, after making sure that nobody listens on it.
 *
 * @throws PortTaken
 */
export async function claimPort(variable: string, fallback: number, purpose: string): Promise<number> {
  const port = Number(process.env[variable] ?? fallback);
  if (port === 0) return freePort();
  const server = createServer();
  await new Promise<void>((ready, fail) => {
    server.once('error', () => fail(new PortTaken(port, purpose, variable)));
    server.listen(port, '127.0.0.1', ready);
  });
  await new Promise((closed) => server.close(closed));
  return port;
}
