import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { CONFIG, type Config } from '@postrider/platform';
import { LRUCache } from 'lru-cache';
import type { CloseCause } from '../protocol/reason-codes';
import { deviceKey, type DeviceSession, type SessionIdentity } from './device-session';
import { LingeringConnections } from './lingering-connections';

/** Far more than come while a connection opens. */
const MOST_CLOSINGS = 10_000;

/** Ended connections of a device: all up to an epoch. */
interface Closing {
  epoch: bigint;
  cause: CloseCause;
}

/** Every connection of this edge: admitted ones by device, those that are not admitted yet, and those that linger. */
@Injectable()
export class SessionRegistry {
  readonly lingering = new LingeringConnections();
  readonly #all = new Set<DeviceSession>();
  readonly #byDevice = new Map<string, DeviceSession>();
  readonly #eventSubscribers = new Map<string, Set<DeviceSession>>();
  readonly #devicesByApplication = new Map<string, number>();
  readonly #closings = new LRUCache<string, Closing>({ max: MOST_CLOSINGS });

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** How many connections are open, admitted or not. */
  get connectionCount(): number {
    return this.#all.size;
  }

  /** How many devices are connected. */
  get deviceCount(): number {
    return this.#byDevice.size;
  }

  /** True if this edge holds more connections than it may (`MAX_CONNECTIONS`). */
  get isFull(): boolean {
    return this.#all.size > this.config.maxConnections;
  }

  /** Adds a connection that was opened, before it is admitted. */
  add(session: DeviceSession): void {
    this.#all.add(session);
  }

  /** Removes a connection that ended. If another one has replaced it as the device's, that one stays. */
  remove(session: DeviceSession): void {
    this.#all.delete(session);
    const { identity } = session;
    if (identity === null) return;
    this.#removeEventSubscriber(session, identity.appId);
    const key = deviceKey(identity.appId, identity.deviceId);
    if (this.#byDevice.get(key) !== session) return;
    this.#byDevice.delete(key);
    this.#count(identity.appId, -1);
  }

  /** Makes an admitted connection the one of its device. @returns the connection that it replaces */
  setConnected(session: DeviceSession): DeviceSession | undefined {
    const { identity } = session;
    if (identity === null) return undefined;
    const key = deviceKey(identity.appId, identity.deviceId);
    const former = this.#byDevice.get(key);
    this.#byDevice.set(key, session);
    if (former === undefined) this.#count(identity.appId, 1);
    return former === session ? undefined : former;
  }

  /**
   * Closes the connection of a device if its epoch is not later. A connection that has an epoch but is not open yet is
   * not found here: it calls `causeToClose` before it opens.
   */
  closeUntil(
    { appId, deviceId, epoch }: Pick<SessionIdentity, 'appId' | 'deviceId' | 'epoch'>,
    cause: CloseCause,
  ): void {
    const key = deviceKey(appId, deviceId);
    const last = BigInt(epoch);
    if (last >= (this.#closings.get(key)?.epoch ?? last)) this.#closings.set(key, { epoch: last, cause });
    const session = this.#byDevice.get(key);
    if (session?.identity && BigInt(session.identity.epoch) <= last) session.close(cause);
  }

  /** Why a connection that is about to open must not: it was closed before it was open. Undefined: it may open. */
  causeToClose({ appId, deviceId, epoch }: SessionIdentity): CloseCause | undefined {
    const closing = this.#closings.get(deviceKey(appId, deviceId));
    return closing && BigInt(epoch) <= closing.epoch ? closing.cause : undefined;
  }

  /** The connection of a device. */
  find(appId: string, deviceId: DeviceId): DeviceSession | undefined {
    return this.#byDevice.get(deviceKey(appId, deviceId));
  }

  /** Every connection, admitted or not. */
  all(): IterableIterator<DeviceSession> {
    return this.#all.values();
  }

  /** One connection for each connected device. */
  connected(): IterableIterator<DeviceSession> {
    return this.#byDevice.values();
  }

  /** Records if a connection is subscribed to events. Call it after its subscriptions changed. */
  updateEventSubscriber(session: DeviceSession): void {
    const appId = session.identity?.appId ?? '';
    const subscribers = this.#eventSubscribers.get(appId);
    if (isEventSubscriber(session)) this.#eventSubscribers.set(appId, (subscribers ?? new Set()).add(session));
    else this.#removeEventSubscriber(session, appId);
  }

  /** Connections of an application that are subscribed to events. */
  eventSubscribers(appId: string): Iterable<DeviceSession> {
    return this.#eventSubscribers.get(appId) ?? [];
  }

  #removeEventSubscriber(session: DeviceSession, appId: string): void {
    const subscribers = this.#eventSubscribers.get(appId);
    subscribers?.delete(session);
    if (subscribers?.size === 0) this.#eventSubscribers.delete(appId);
  }

  /** How many devices of each application are connected. */
  devicesByApplication(): ReadonlyMap<string, number> {
    return this.#devicesByApplication;
  }

  #count(appId: string, change: number): void {
    const count = (this.#devicesByApplication.get(appId) ?? 0) + change;
    if (count === 0) this.#devicesByApplication.delete(appId);
    else this.#devicesByApplication.set(appId, count);
  }
}

function isEventSubscriber({ subscriptions, identity }: DeviceSession): boolean {
  const beginning = `app/${identity?.appId ?? ''}/event/`;
  for (const topic of subscriptions.keys()) if (topic.startsWith(beginning)) return true;
  return false;
}
