import { Injectable } from '@nestjs/common';
import { HandOversRepository, type WaitingMessage } from '@postrider/persistence';
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
  devices: { session: Session; isKept: boolean }[];
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

const USER_CHANGED = {
  state: 'skipped',
  errorCode: 'user_changed',
  reason: 'The device has belonged to another user since the message was accepted',
} as const;

/** Puts what was read from the ledger into the outboxes of the devices it is for. */
@Injectable()
export class InboxDelivering {
  constructor(
    private readonly handOvers: HandOversRepository,
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

  /** To be called before an inbox is read from its beginning: what waits for a push service stands in it as well. */
  async keepUnsent(devices: readonly { appId: string; deviceId: string }[]): Promise<void> {
    await this.pages.keepUnsent(devices);
  }

  /** Whether any device is connected here. */
  get hasDevices(): boolean {
    return this.connections.devices > 0;
  }

  /**
   * Those of the devices that are connected here, and where the message is neither under way nor acknowledged.
   *
   * @param wholeAtMs when the statement began, if what it read of a page are all its devices without an outcome; else null
   */
  select(waiting: WaitingMessage, wholeAtMs: number | null): WantedMessage {
    const page = this.pages.pageOf(waiting, wholeAtMs);
    const hereBeforeMs = hereBefore(waiting, page);
    const wanted: WantedMessage = { waiting, page, devices: [] };
    let place = 0;
    for (const deviceId of waiting.deviceIds ?? page?.left ?? []) {
      const isKept = waiting.keptOnes?.[place++] === true;
      const session = this.connections.find(waiting.appId, deviceId);
      if (session === undefined || session.openedSinceMs > hereBeforeMs || !session.wants(waiting.messageId)) continue;
      if (!this.#hasEnded(waiting.messageId, page, deviceId)) wanted.devices.push({ session, isKept });
    }
    return wanted;
  }

  #hasEnded(messageId: string, page: HeldPage | null, deviceId: string): boolean {
    return page?.left?.has(deviceId) === false || this.settled.has(messageId, deviceId);
  }

  /**
   * Leaves out devices that a message came to while they were another user's whom it names: it is skipped there. Only devices
   * that had another owner are looked at.
   */
  async withdrawFromFormerOwners(ready: readonly ReadyMessage[]): Promise<void> {
    const doubtful = ready.flatMap(({ message: { outgoing }, wanted }) =>
      outgoing.isToNamedUsers
        ? wanted.devices
            .filter(({ session: { identity } }) => identity?.hasChangedHands === true)
            .map((device) => ({ outgoing, wanted, device }))
        : [],
    );
    if (doubtful.length === 0) return;
    const notNamed = await this.handOvers.findNotNamed(
      doubtful.map(({ outgoing: { appId, id }, device }) => ({
        ...{ appId, messageId: id, userId: device.session.identity?.userId ?? '' },
      })),
    );
    doubtful.forEach(({ outgoing, wanted, device }, place) => {
      if (!notNamed.has(place)) return;
      wanted.devices = wanted.devices.filter((one) => one !== device);
      const { page } = wanted;
      this.acknowledgements.failed(device.session, { message: outgoing, page, isKept: device.isKept }, USER_CHANGED);
    });
  }

  /** Offers messages to their devices, in this order, and lets them go out: several for one device leave together. */
  async deliver(ready: readonly ReadyMessage[]): Promise<void> {
    const orders = ready.flatMap(({ message, wanted: { page, devices } }) =>
      devices.map(({ session, isKept }) => ({ message, session, page, isKept })),
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

/** Who came later is not looked for: what is remembered of a page does not know what a device acknowledged elsewhere. */
function hereBefore({ deviceIds }: WaitingMessage, page: HeldPage | null): number {
  return deviceIds === null && page !== null ? page.leftAtMs : Infinity;
}
