import { Agent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { openTunnel } from './open-tunnel';

/** The agent with which `node:https` connects: a tunnel through a proxy, with TLS to the target inside. */
export class TunnelAgent extends Agent {
  constructor(private readonly proxy: URL) {
    super({ keepAlive: true });
  }

  /** Called by Node for each new connection. */
  override createConnection(
    options: RequestOptions,
    callback: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const host = options.host ?? 'localhost';
    const tunnel = openTunnel({
      proxy: this.proxy,
      host,
      port: Number(options.port) || 443,
      onOpen: () => callback(null, connectTls({ ...(options as object), socket: tunnel })),
      onFailure: (error) => callback(error, undefined as unknown as Duplex),
    });
  }
}
