import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayConfig } from '@postrider/platform';
import { networkOf } from '../auth/sender-address';

type Limits = Pick<GatewayConfig, 'maxHttpConnections' | 'maxHttpConnectionsPerAddress' | 'trustedProxies'>;

/**
 * Closes connections beyond the limits as soon as they are made, so that no stranger can use up the others'. Those from one address
 * (of IPv6: one /64) are counted unless there are proxies, whose connections all are.
 */
export function limitConnections(server: Server, limits: Limits): void {
  server.maxConnections = limits.maxHttpConnections;
  if (limits.trustedProxies > 0) return;
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
    if (count > limits.maxHttpConnectionsPerAddress) socket.destroy();
  });
}
