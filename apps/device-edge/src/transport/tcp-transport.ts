import type { Socket } from 'node:net';
import { MINUTE_MS } from '@postrider/domain';
import type { SessionFactory } from '../session/session-factory.service';
import type { Transport } from '../session/transport';

/** TCP keep-alive, for clients that asked for no MQTT keep-alive. */
export const KEEP_ALIVE_MS = MINUTE_MS;
/** The connection is destroyed if the device does not close its side within this time. */
const END_WITHIN_MS = 2_000;

/** Creates the session of a TCP or TLS connection. */
export function acceptSocket(socket: Socket, sessions: SessionFactory): void {
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  const session = sessions.open(new TcpTransport(socket));
  socket.on('data', (bytes: Buffer) => session.receive(bytes));
  socket.on('drain', () => session.flush());
  // After an error the socket emits 'close'.
  socket.on('error', () => undefined);
  // Half-open connections are not allowed: a device that ends its side is gone.
  socket.on('close', () => sessions.gone(session));
}

/** A connection over TCP or TLS. */
export class TcpTransport implements Transport {
  constructor(private readonly socket: Socket) {}

  get bufferedBytes(): number {
    return this.socket.writableLength;
  }

  write(bytes: Buffer): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  end(): void {
    this.socket.end();
    // Not the socket's own time limit: it begins again with every byte of a device that goes on sending.
    const timer = setTimeout(() => this.socket.destroy(), END_WITHIN_MS).unref();
    this.socket.once('close', () => clearTimeout(timer));
    // Reads and drops what still arrives: otherwise the end would not be noticed.
    this.socket.resume();
  }

  /** Clients over TCP accept a refusal, or wait longer before each retry: the connection is closed. */
  linger(): void {
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
