import type { Socket } from 'node:net';
import type { Sessions } from '../session/session-factory.service';
import { TcpPort } from './tcp-transport';

/** TCP's own sign of life, for clients that asked for no keep-alive. */
const KEEP_ALIVE_MS = 60_000;

/** Gives a socket its session. */
export function acceptSocket(socket: Socket, sessions: Sessions): void {
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  const session = sessions.open(new TcpPort(socket));
  socket.on('data', (bytes: Buffer) => session.receive(bytes));
  socket.on('drain', () => session.flow());
  // A socket that fails closes next.
  socket.on('error', () => undefined);
  // No half-open connections: a device that ends its side is gone.
  socket.on('close', () => sessions.gone(session, 'closed'));
}
