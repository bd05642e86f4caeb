import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A fault of a line. */
type LineFault = 'cut' | 'silent' | 'slow';

/** Bytes in transit, and when they arrive. */
interface Piece {
  bytes: Buffer;
  dueAt: number;
}

/** How much longer a slow line takes for everything, in each direction. */
const LAG_MS = 150;

/** The network between processes and a server. It can be cut, can lose everything silently, and can be slow. */
export class Line {
  readonly #sockets = new Set<Socket>();
  #fault: LineFault | null = null;

  private constructor(private readonly server: Server) {}

  /** Opens one on a free port of 127.0.0.1. @param target the port of the server */
  static async open(target: number): Promise<Line> {
    const server = createServer((near) => line.#join(near, target));
    const line = new Line(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return line;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Applies a fault for `forMs` milliseconds:
   * - `cut`: every connection is closed and none is made,
   * - `silent`: nothing comes through and no side is told, as behind a firewall that drops packets; requests under way
   *   are lost with their connection when the silence ends,
   * - `slow`: everything takes 150 ms longer in each direction.
   */
  async inject(fault: LineFault, forMs: number): Promise<void> {
    this.#fault = fault;
    if (fault === 'cut') this.#breakAll();
    if (fault === 'silent') for (const socket of this.#sockets) socket.pause();
    await new Promise((later) => setTimeout(later, forMs));
    this.#fault = null;
    if (fault === 'silent') this.#breakAll();
  }

  async close(): Promise<void> {
    this.#breakAll();
    this.server.close();
    await once(this.server, 'close');
  }

  #breakAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  #join(near: Socket, target: number): void {
    if (this.#fault === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      const pass = inOrder((bytes) => to.writable && to.write(bytes));
      from.on('data', (bytes: Buffer) => pass(bytes, this.#fault === 'slow' ? LAG_MS : 0));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#fault === 'silent') from.pause();
    }
  }
}

/** Passes pieces on after their lag, none before the one that came before it. */
function inOrder(pass: (bytes: Buffer) => void): (bytes: Buffer, lagMs: number) => void {
  const waiting: Piece[] = [];
  const drain = (): void => {
    while (waiting[0] !== undefined && waiting[0].dueAt <= performance.now()) pass((waiting.shift() as Piece).bytes);
    if (waiting[0] !== undefined) setTimeout(drain, Math.max(1, waiting[0].dueAt - performance.now()));
  };
  return (bytes, lagMs) => {
    if (lagMs === 0 && waiting.length === 0) {
      pass(bytes);
      return;
    }
    waiting.push({ bytes, dueAt: performance.now() + lagMs });
    if (waiting.length === 1) setTimeout(drain, lagMs);
  };
}
