import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A line between a browser and a server: it takes its time, and can be cut. */
export class SlowLine {
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #connections = 0;

  private constructor(
    private readonly server: Server,
    private readonly lagMs: number,
  ) {}

  /** @param lagMs what everything takes in each direction; a connection may take half as long again */
  static async open(target: number, lagMs: number): Promise<SlowLine> {
    const server = createServer((near) => line.#join(near, connect(target, '127.0.0.1')));
    const line = new SlowLine(server, lagMs);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return line;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** How many connections were tried. */
  get connections(): number {
    return this.#connections;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  #join(near: Socket, far: Socket): void {
    this.#connections++;
    const lagMs = this.lagMs * (1 + Math.random() / 2);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), lagMs));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#sockets.delete(from);
        setTimeout(() => to.destroy(), lagMs);
      });
    }
    if (this.#isCut) near.destroy();
  }
}
