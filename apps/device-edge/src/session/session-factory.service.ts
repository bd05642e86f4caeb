import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { SESSION_SERVICES, type SessionServices } from './device-session';
import type { LingeringConnections } from './lingering-connections';
import { PACKET_COUNTER, type PacketCounter, type SessionClock, type SessionLimits } from './packet-session';
import { Session } from './session';
import { SessionRegistry } from './session-registry';
import type { Transport } from './transport';

const CONNECT_WITHIN_MS = 10_000;
/** Less than the half minute after which clients give up by themselves, without an answer. */
const CONNACK_WITHIN_MS = 20_000;
/** Messages that wait in memory for one device. The others wait in PostgreSQL. */
const CAPACITY = 100;
const SUBSCRIPTIONS = 200;
/** As many as a registration may name. */
const CHANNELS = 1_000;

/** Creates a session for each network connection, and registers it. */
@Injectable()
export class SessionFactory {
  readonly #limits: SessionLimits;
  readonly #clock: SessionClock;

  constructor(
    @Inject(SESSION_SERVICES) private readonly services: SessionServices,
    private readonly registry: SessionRegistry,
    @Inject(PACKET_COUNTER) private readonly packets: PacketCounter,
    @Inject(CONFIG) config: Config,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#clock = { steadyMs: () => performance.now(), wallMs: () => clock.now().getTime() };
    this.#limits = {
      window: config.connectionInFlight,
      capacity: CAPACITY,
      maxPacketBytes: config.connectionMaxPacketBytes,
      bufferBytes: config.connectionBufferBytes,
      packetsPerSecond: config.connectionPacketsPerSecond,
      connectWithinMs: CONNECT_WITHIN_MS,
      connackWithinMs: CONNACK_WITHIN_MS,
      subscriptions: SUBSCRIPTIONS,
      channels: CHANNELS,
    };
  }

  get lingering(): LingeringConnections {
    return this.registry.lingering;
  }

  open(transport: Transport): Session {
    const session = new Session(transport, this.services, this.#limits, this.#clock, this.packets);
    this.registry.add(session);
    return session;
  }

  /** The network connection of a session is closed. */
  gone(session: Session): void {
    session.gone();
    this.registry.remove(session);
  }
}
