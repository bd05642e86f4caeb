import { Injectable } from '@nestjs/common';
import { CHANGED_HANDS, type DeviceId, inParts } from '@postrider/domain';
import { OwnerChangesRepository, type WaitingMessage } from '@postrider/persistence';
import type { DeviceSession } from '../session/device-session';
import type { EdgePage } from '../session/outgoing-delivery';
import { OutcomeRecorder } from '../outcomes/outcome-recorder.service';
import { SessionRegistry } from '../session/session-registry';
import { EdgePages } from '../outcomes/edge-pages.service';
import type { CachedMessage } from './message-cache.service';
import { dependsOnPerson, PayloadRenderer, type RenderRequest } from './payload-renderer.service';
import { SettledDeliveries } from '../outcomes/settled-deliveries';

/** A message that waits for devices connected to this edge. */
interface WantedMessage {
  waiting: WaitingMessage;
  page: EdgePage | null;
  devices: { session: DeviceSession; isKept: boolean }[];
}

/** A message that is to be delivered now. */
export interface ReadyMessage {
  message: CachedMessage;
  wanted: WantedMessage;
}

interface DeliveryRequest extends RenderRequest {
  page: EdgePage | null;
  isKept: boolean;
}

/** How many personal texts are rendered without a pause. More would block the event loop for too long. */
const RENDERED_AT_ONCE = 100;

const USER_CHANGED = { state: 'skipped', ...CHANGED_HANDS } as const;

/** Puts deliveries that were read from PostgreSQL into the outboxes of their devices. */
@Injectable()
export class WaitingPublisher {
  constructor(
    private readonly ownerChanges: OwnerChangesRepository,
    private readonly registry: SessionRegistry,
    readonly settled: SettledDeliveries,
    private readonly renderer: PayloadRenderer,
    private readonly outcomes: OutcomeRecorder,
    private readonly pages: EdgePages,
  ) {}

  /** Pages whose devices are known and need not be read again. */
  get knownPageIds(): string[] {
    return this.pages.knownPageIds;
  }

  /**
   * Makes messages that wait for a vendor wait for the connections of these devices too. Call it before the waiting
   * messages of a device are read.
   */
  async keepUnsent(devices: readonly { appId: string; deviceId: DeviceId }[]): Promise<void> {
    await this.pages.keepUnsent(devices);
  }

  /** True if any device is connected to this edge. */
  get hasDevices(): boolean {
    return this.registry.deviceCount > 0;
  }

  /**
   * Selects the devices that are connected to this edge and need the message: it is neither in their outbox nor acknowledged.
   *
   * @param wholeAtMs when the statement began, if it read all devices of the page that have no outcome; else null
   */
  select(waiting: WaitingMessage, wholeAtMs: number | null): WantedMessage {
    const page = this.pages.pageOf(waiting, wholeAtMs);
    const connectedBeforeMs = connectedBefore(waiting, page);
    const wanted: WantedMessage = { waiting, page, devices: [] };
    let place = 0;
    for (const deviceId of waiting.deviceIds ?? page?.left ?? []) {
      const isKept = waiting.keptOnes?.[place++] === true;
      const session = this.registry.find(waiting.appId, deviceId);
      if (session === undefined || session.openedSinceMs > connectedBeforeMs || !session.wants(waiting.messageId))
        continue;
      if (!this.#hasEnded(waiting.messageId, page, deviceId)) wanted.devices.push({ session, isKept });
    }
    return wanted;
  }

  #hasEnded(messageId: string, page: EdgePage | null, deviceId: DeviceId): boolean {
    return page?.left?.has(deviceId) === false || this.settled.has(messageId, deviceId);
  }

  /**
   * Skips deliveries of messages that name a former owner of the device, and are not meant for the present one. Only
   * devices that had another owner are checked.
   */
  async skipChangedOwners(ready: readonly ReadyMessage[]): Promise<void> {
    const candidates = ready.flatMap(({ message: { outgoing }, wanted }) => {
      if (!outgoing.isToNamedUsers) return [];
      return wanted.devices.flatMap((device) => {
        const { identity } = device.session;
        return identity?.hasChangedHands === true ? [{ outgoing, wanted, device, identity }] : [];
      });
    });
    if (candidates.length === 0) return;
    const notMeant = await this.ownerChanges.findNotMeant(
      candidates.map(({ outgoing: { appId, id }, identity: { deviceId, userId } }) => ({
        appId,
        messageId: id,
        deviceId,
        userId,
      })),
    );
    candidates.forEach(({ outgoing, wanted, device }, place) => {
      if (!notMeant.has(place)) return;
      wanted.devices = wanted.devices.filter((one) => one !== device);
      const { page } = wanted;
      const delivery = { message: outgoing, page, isKept: device.isKept, language: null };
      this.outcomes.failed(device.session, delivery, USER_CHANGED);
    });
  }

  /** Publishes messages to their devices, in this order. Several messages for one device go out in one write. */
  async deliver(ready: readonly ReadyMessage[]): Promise<void> {
    const requests = ready.flatMap(({ message, wanted: { page, devices } }) =>
      devices.map(({ session, isKept }) => ({ message, session, page, isKept })),
    );
    // Payloads that are the same for all devices take no time to render.
    const arePersonal = ready.some(({ message }) => dependsOnPerson(message));
    const atOnce = arePersonal ? RENDERED_AT_ONCE : requests.length;
    for (const some of inParts(requests, atOnce)) await this.#deliverSome(some);
  }

  async #deliverSome(requests: readonly DeliveryRequest[]): Promise<void> {
    const rendered = await this.renderer.render(requests);
    const touched = new Set<DeviceSession>();
    requests.forEach(({ message, session, page, isKept }, place) => {
      const one = rendered[place];
      if (one?.kind === 'payload') {
        session.offer({ message: message.outgoing, payload: one.payload, page, isKept, language: one.language });
        touched.add(session);
      } else if (one?.kind === 'failed') {
        this.outcomes.failed(session, { message: message.outgoing, page, isKept: false, language: null }, one);
      }
    });
    for (const session of touched) session.flush();
  }
}

/**
 * A page in memory does not know what a device acknowledged on another edge, so devices that connected after the page
 * was read are left out.
 */
function connectedBefore({ deviceIds }: WaitingMessage, page: EdgePage | null): number {
  return deviceIds === null && page !== null ? page.leftAtMs : Infinity;
}
