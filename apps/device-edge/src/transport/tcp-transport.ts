import type { Socket } from 'node:net';
import type { Port } from '../session/transport';

/** A device that does not close its side within this time is cut off. */
const END_WITHIN_MS = 2_000;

/** A connection over TCP or TLS. */
export class TcpPort implements Port {
  constructor(private readonly socket: Socket) {}

  get remote(): string {
    return `${this.socket.remoteAddress ?? ''}:${this.socket.remotePort ?? ''}`;
  }

  get bufferedBytes(): number {
    return this.socket.writableLength;
  }

  write(bytes: Buffer): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  end(): void {
    this.socket.end();
    this.socket.setTimeout(END_WITHIN_MS, () => this.socket.destroy());
    // What still comes is read and dropped, so that the end is seen.
    this.socket.resume();
  }

  /** Clients over TCP take a refusal for an answer, or wait longer each time. */
  rest(): void {
    this.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }
}
