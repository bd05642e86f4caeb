import type { WebSocket } from 'ws';
import type { LingeringClient, LingeringConnection, LingeringConnections } from '../session/lingering-connections';
import { PacketRateLimiter } from '../session/packet-rate-limiter';
import type { Transport } from '../session/transport';

const END_WITHIN_MS = 2_000;
const NORMAL = 1_000;
/** PINGREQ and PINGRESP (MQTT 3.1.1 §3.12, §3.13), and the first half of a PUBACK's first byte. */
const PINGREQ = 0xc0;
const PINGRESP = Buffer.of(0xd0, 0x00);
const PUBACK = 4;
/** Far more than one in a keep-alive. Answers that a client does not read would wait in memory. */
const PINGS_PER_SECOND = 10;

/** A connection over WebSocket: binary frames, each of one packet or of several (MQTT 3.1.1 §6.0.0-1 and -2). */
export class WebSocketTransport implements Transport {
  constructor(
    private readonly socket: WebSocket,
    private readonly lingering: LingeringConnections,
  ) {}

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  write(bytes: Buffer): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(bytes, ignore);
  }

  end(): void {
    this.socket.close(NORMAL);
    // Reads and drops what still arrives, up to the other side's Close frame (RFC 6455 §7.1.1).
    this.socket.resume();
    setTimeout(() => this.socket.terminate(), END_WITHIN_MS).unref();
  }

  /**
   * Answers a PINGREQ. Any other packet except PUBACK is a request: the connection is closed, and the client may
   * reconnect. So it is if it sends one PINGREQ after the other.
   */
  linger(client: LingeringClient): void {
    const lingering: LingeringConnection = { ...client, end: () => this.end() };
    this.lingering.add(lingering, performance.now());
    this.socket.once('close', () => this.lingering.remove(lingering));
    const pings = new PacketRateLimiter(PINGS_PER_SECOND, performance.now());
    this.socket.on('message', (bytes: Buffer) => {
      if (bytes[0] === PINGREQ && pings.take(1, performance.now())) this.write(PINGRESP);
      else if ((bytes[0] ?? 0) >> 4 !== PUBACK) this.end();
    });
    this.socket.resume();
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

/** After a failed write the socket emits 'close'. */
function ignore(): void {
  return undefined;
}
