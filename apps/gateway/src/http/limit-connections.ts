import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../trackers/client-address';

/** How many connections may be open at once. */
export interface ConnectionLimits {
  altogether: number;
  /** From one address (of IPv6: one /64). Null behind proxies, where all connections are the proxies'. */
  perAddress: number | null;
}

/** Closes connections beyond the limits as soon as they are made, so that no stranger can use up the others'. */
export function limitConnections(server: Server, { altogether, perAddress }: ConnectionLimits): void {
  server.maxConnections = altogether;
  if (perAddress === null) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress) ?? '';
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > perAddress) socket.destroy();
  });
}
