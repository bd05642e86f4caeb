import type { WebSocket } from 'ws';
import type { Port } from '../session/port';

const END_WITHIN_MS = 2_000;
const NORMAL = 1_000;

/** A connection over WebSocket: binary frames, each of one packet or of several (MQTT 3.1.1 §6.0.0-1 and -2). */
export class WebSocketPort implements Port {
  constructor(
    private readonly socket: WebSocket,
    readonly remote: string,
  ) {}

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  write(bytes: Buffer): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(bytes, ignore);
  }

  end(): void {
    this.socket.close(NORMAL);
    // What still comes is read and dropped, so that the other side's Close frame is seen (RFC 6455 §7.1.1).
    this.socket.resume();
    setTimeout(() => this.socket.terminate(), END_WITHIN_MS).unref();
  }

  destroy(): void {
    this.socket.terminate();
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }
}

/** A socket that fails says so by closing. */
function ignore(): void {
  return undefined;
}
