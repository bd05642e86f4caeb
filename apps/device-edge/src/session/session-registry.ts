import { Injectable } from '@nestjs/common';
import type { Session } from './session';
import { deviceKey } from '../ledger/device-key';
import { RestingConnections } from './lingering-connections';

/** Every connection of this edge: those that are let in, by device, those that are not yet, and those that are over and rest. */
@Injectable()
export class Connections {
  readonly resting = new RestingConnections();
  readonly #all = new Set<Session>();
  readonly #byDevice = new Map<string, Session>();
  readonly #listeners = new Map<string, Set<Session>>();
  readonly #devicesOfApplication = new Map<string, number>();

  get count(): number {
    return this.#all.size;
  }

  get devices(): number {
    return this.#byDevice.size;
  }

  add(session: Session): void {
    this.#all.add(session);
  }

  /** Forgets a connection. */
  remove(session: Session): void {
    this.#all.delete(session);
    const { identity } = session;
    if (identity === null) return;
    this.#stopListening(session, identity.appId);
    const key = deviceKey(identity.appId, identity.deviceId);
    if (this.#byDevice.get(key) !== session) return;
    this.#byDevice.delete(key);
    this.#count(identity.appId, -1);
  }

  /** Puts a connection under its device. @returns the one that was there until now */
  enter(session: Session): Session | undefined {
    const { identity } = session;
    if (identity === null) return undefined;
    const key = deviceKey(identity.appId, identity.deviceId);
    const former = this.#byDevice.get(key);
    this.#byDevice.set(key, session);
    if (former === undefined) this.#count(identity.appId, 1);
    return former === session ? undefined : former;
  }

  find(appId: string, deviceId: string): Session | undefined {
    return this.#byDevice.get(deviceKey(appId, deviceId));
  }

  all(): IterableIterator<Session> {
    return this.#all.values();
  }

  entered(): IterableIterator<Session> {
    return this.#byDevice.values();
  }

  /** Notes whether a connection wants to hear of what devices report. */
  noteListening(session: Session): void {
    const appId = session.identity?.appId ?? '';
    const listening = this.#listeners.get(appId);
    if (listensToEvents(session)) this.#listeners.set(appId, (listening ?? new Set()).add(session));
    else this.#stopListening(session, appId);
  }

  /** Connections of an application that want to hear of events. */
  listeners(appId: string): Iterable<Session> {
    return this.#listeners.get(appId) ?? [];
  }

  #stopListening(session: Session, appId: string): void {
    const listening = this.#listeners.get(appId);
    listening?.delete(session);
    if (listening?.size === 0) this.#listeners.delete(appId);
  }

  /** Connected devices by application. */
  byApplication(): ReadonlyMap<string, number> {
    return this.#devicesOfApplication;
  }

  #count(appId: string, change: number): void {
    const count = (this.#devicesOfApplication.get(appId) ?? 0) + change;
    if (count === 0) this.#devicesOfApplication.delete(appId);
    else this.#devicesOfApplication.set(appId, count);
  }
}

/** Whether a session subscribed to events. */
function listensToEvents({ subscriptions, identity }: Session): boolean {
  const beginning = `app/${identity?.appId ?? ''}/event/`;
  for (const topic of subscriptions.keys()) if (topic.startsWith(beginning)) return true;
  return false;
}
