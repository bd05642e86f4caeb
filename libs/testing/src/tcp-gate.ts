import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that a test can close and open: while it is closed, the server is away, as in an outage. */
export interface TcpGate {
  port: number;
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Breaks every connection at once as soon as so many more packets have come from clients; later connections hold. */
  breakAfter(packets: number): Promise<void>;
}

/** Opens a gate on a free port of 127.0.0.1. */
export async function openTcpGate(target: { host: string; port: number }): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  let breaking: { left: number; broken: () => void } | null = null;
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
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
    open: () => listen(port),
    shut: () =>
      new Promise((shut) => {
        server.close(() => shut());
        breakAll();
      }),
    breakAfter: (packets) => new Promise((broken) => (breaking = { left: packets, broken })),
  };
}
