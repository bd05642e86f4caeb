import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { Connections } from './session-registry';
import type { RestingConnections } from './lingering-connections';
import { House } from '../ledger/house.service';
import type { Port, SessionLimits } from './transport';
import { Session, type SessionTime } from './session';

const CONNECT_WITHIN_MS = 10_000;
/** Messages that wait in memory for one device; the ledger holds the rest. */
const CAPACITY = 100;
const SUBSCRIPTIONS = 200;

/** Makes a session for each connection, whatever it comes over. */
@Injectable()
export class Sessions {
  readonly #limits: SessionLimits;
  readonly #time: SessionTime;

  constructor(
    private readonly house: House,
    private readonly connections: Connections,
    @Inject(CONFIG) config: Config,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#time = { steadyMs: () => performance.now(), wallMs: () => clock.now().getTime() };
    this.#limits = {
      window: config.connectionInFlight,
      capacity: CAPACITY,
      maxPacketBytes: config.connectionMaxPacketBytes,
      bufferBytes: config.connectionBufferBytes,
      packetsPerSecond: config.connectionPacketsPerSecond,
      connectWithinMs: CONNECT_WITHIN_MS,
      subscriptions: SUBSCRIPTIONS,
    };
  }

  get resting(): RestingConnections {
    return this.connections.resting;
  }

  open(port: Port): Session {
    const session = new Session(port, this.house, this.#limits, this.#time);
    this.connections.add(session);
    return session;
  }

  /** The connection is gone. */
  gone(session: Session, cause: string): void {
    session.gone(cause);
    this.connections.remove(session);
  }
}
