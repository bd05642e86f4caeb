import { Injectable } from '@nestjs/common';
import type { WaitingMessage } from '@postrider/persistence';
import type { HeldPage } from '../session/outgoing-message';
import type { Session } from '../session/session';
import { Acknowledgements } from './acknowledgements.service';
import { Connections } from './connections';
import { HeldPages } from './held-pages.service';
import type { KnownMessage } from './message-cache';
import { type Order, RenderedPayloads } from './rendered-payloads.service';
import { SettledDeliveries } from './settled-deliveries';

/** A message that waits for devices that are connected here and have not got it. */
export interface WantedMessage {
  waiting: WaitingMessage;
  page: HeldPage | null;
  sessions: Session[];
  keptOnes: boolean[];
}

/** A message that is to go out now. */
export interface ReadyMessage {
  message: KnownMessage;
  wanted: WantedMessage;
}

interface DeliveryOrder extends Order {
  page: HeldPage | null;
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
    private readonly pages: HeldPages,
  ) {}

  /** Pages whose devices need not be read again. */
  get knownPageIds(): string[] {
    return this.pages.knownPageIds;
  }

  /** Whether any device is connected here. */
  get hasDevices(): boolean {
    return this.connections.devices > 0;
  }

  /**
   * Those of the devices that are connected here, and where the message is neither under way nor acknowledged.
   *
   * @param isWhole whether what was read of a page are all its devices without an outcome
   */
  select(waiting: WaitingMessage, isWhole: boolean): WantedMessage {
    const page = this.pages.pageOf(waiting, isWhole);
    const wanted: WantedMessage = { waiting, page, sessions: [], keptOnes: [] };
    let place = 0;
    for (const deviceId of waiting.deviceIds ?? page?.left ?? []) {
      const isKept = waiting.keptOnes?.[place++] ?? false;
      const session = this.connections.find(waiting.appId, deviceId);
      if (!session?.wants(waiting.messageId) || this.#hasEnded(waiting.messageId, page, deviceId)) continue;
      wanted.sessions.push(session);
      wanted.keptOnes.push(isKept);
    }
    return wanted;
  }

  #hasEnded(messageId: string, page: HeldPage | null, deviceId: string): boolean {
    return page?.left?.has(deviceId) === false || this.settled.has(messageId, deviceId);
  }

  /** Offers messages to their devices, in this order, and lets them go out: several for one device leave together. */
  async deliver(ready: readonly ReadyMessage[]): Promise<void> {
    const orders = ready.flatMap(({ message, wanted: { page, sessions, keptOnes } }) =>
      sessions.map((session, place) => ({ message, session, page, isKept: keptOnes[place] ?? false })),
    );
    // What is the same for all takes no time to make.
    const isPersonal = ready.some(({ message }) => message.personal !== null);
    const atOnce = isPersonal ? RENDERED_AT_ONCE : orders.length;
    for (let from = 0; from < orders.length; from += atOnce) await this.#deliverSome(orders.slice(from, from + atOnce));
  }

  async #deliverSome(orders: readonly DeliveryOrder[]): Promise<void> {
    const rendered = await this.rendered.render(orders);
    const touched = new Set<Session>();
    orders.forEach(({ message, session, page, isKept }, place) => {
      const one = rendered[place];
      if (one?.kind === 'payload') {
        session.offer({ message: message.outgoing, payload: one.payload, page, isKept });
        touched.add(session);
      } else if (one?.kind === 'failed') {
        this.acknowledgements.failed(session, { message: message.outgoing, page, isKept: false }, one);
      }
    });
    for (const session of touched) session.flow();
  }
}
