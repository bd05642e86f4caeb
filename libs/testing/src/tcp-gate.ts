import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that a test can close and open: while it is closed, the server is away, as in an outage. */
export interface TcpGate {
  port: number;
  /** How many connections were opened through it. */
  readonly opened: number;
  shut(): Promise<void>;
  open(): Promise<void>;
  /**
   * Lets nothing pass on any connection, and says nothing of it, as when a host vanishes. `open` breaks those that were
   * opened meanwhile, and lets later ones pass; the others stay silent.
   */
  silence(): void;
  /** Breaks every connection at once as soon as so many more packets have come from clients; later connections hold. */
  breakAfter(packets: number): Promise<void>;
}

/** Opens a gate on a free port of 127.0.0.1. */
export async function openTcpGate(target: { host: string; port: number }): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  let opened = 0;
  /** Connections that were opened while the gate is silent; null: it is not. */
  let unheard: Socket[] | null = null;
  let breaking: { left: number; broken: () => void } | null = null;
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    opened += 1;
    if (unheard !== null) {
      unheard.push(near.on('error', () => undefined));
      return;
    }
    const far = connect(target.port, target.host);
    near.on('data', () => {
      if (breaking === null || --breaking.left > 0) return;
      const { broken } = breaking;
      breaking = null;
      breakAll();
      broken();
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one));
      one.pipe(other);
    }
  });
  const listen = (port: number): Promise<void> => new Promise((open) => server.listen(port, '127.0.0.1', () => open()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get opened() {
      return opened;
    },
    open: async () => {
      if (unheard === null) return listen(port);
      for (const socket of unheard) socket.destroy();
      unheard = null;
    },
    silence: () => {
      unheard = [];
      for (const socket of sockets) socket.unpipe().pause();
    },
    shut: () =>
      new Promise((shut) => {
        server.close(() => shut());
        breakAll();
      }),
    breakAfter: (packets) => new Promise((broken) => (breaking = { left: packets, broken })),
  };
}
