import { Injectable } from '@nestjs/common';
import type { WaitingMessage } from '@postrider/persistence';
import type { Session } from '../session/session';
import { Acknowledgements } from './acknowledgements.service';
import { Connections } from './connections';
import type { KnownMessage } from './message-cache';
import { type Order, RenderedPayloads } from './rendered-payloads.service';
import { SettledDeliveries } from './settled-deliveries';

/** A message that waits for devices that are connected here and have not got it. */
export interface WantedMessage {
  waiting: WaitingMessage;
  sessions: Session[];
  keptOnes: boolean[];
}

/** A message that is to go out now. */
export interface ReadyMessage {
  message: KnownMessage;
  wanted: WantedMessage;
}

interface DeliveryOrder extends Order {
  isKept: boolean;
}

/** Personal texts that are made in one go: the event loop is everybody's. */
const RENDERED_AT_ONCE = 100;

/** Puts what was read from the ledger into the outboxes of the devices it is for. */
@Injectable()
export class InboxDelivering {
  constructor(
    private readonly connections: Connections,
    readonly settled: SettledDeliveries,
    private readonly rendered: RenderedPayloads,
    private readonly acknowledgements: Acknowledgements,
  ) {}

  /** Whether any device is connected here. */
  get hasDevices(): boolean {
    return this.connections.devices > 0;
  }

  /** Those of the devices that are connected here, and where the message is neither under way nor acknowledged. */
  select(waiting: WaitingMessage): WantedMessage {
    const wanted: WantedMessage = { waiting, sessions: [], keptOnes: [] };
    waiting.deviceIds.forEach((deviceId, place) => {
      const session = this.connections.find(waiting.appId, deviceId);
      if (!session?.wants(waiting.messageId) || this.settled.has(waiting.messageId, deviceId)) return;
      wanted.sessions.push(session);
      wanted.keptOnes.push(waiting.keptOnes[place] ?? false);
    });
    return wanted;
  }

  /** Offers messages to their devices, in this order, and lets them go out: several for one device leave together. */
  async deliver(ready: readonly ReadyMessage[]): Promise<void> {
    const orders = ready.flatMap(({ message, wanted: { sessions, keptOnes } }) =>
      sessions.map((session, place) => ({ message, session, isKept: keptOnes[place] ?? false })),
    );
    // What is the same for all takes no time to make.
    const isPersonal = ready.some(({ message }) => message.personal !== null);
    const atOnce = isPersonal ? RENDERED_AT_ONCE : orders.length;
    for (let from = 0; from < orders.length; from += atOnce) await this.#deliverSome(orders.slice(from, from + atOnce));
  }

  async #deliverSome(orders: readonly DeliveryOrder[]): Promise<void> {
    const rendered = await this.rendered.render(orders);
    const touched = new Set<Session>();
    orders.forEach(({ message, session, isKept }, place) => {
      const one = rendered[place];
      if (one?.kind === 'payload') {
        session.offer({ message: message.outgoing, payload: one.payload, isKept });
        touched.add(session);
      } else if (one?.kind === 'failed') {
        this.acknowledgements.failed(session, { message: message.outgoing, isKept: false }, one);
      }
    });
    for (const session of touched) session.flow();
  }
}
