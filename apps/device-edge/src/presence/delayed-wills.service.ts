import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SECOND_MS } from '@postrider/domain';
import { PresenceRepository } from '@postrider/persistence';
import { PeriodicTasks } from '../runtime/periodic-tasks.service';
import { type DeviceSession, deviceKey, type SessionIdentity } from '../session/device-session';

/** The will of a connection that broke. */
interface DelayedWill {
  identity: SessionIdentity;
  /** When it is due, on the monotonic clock. */
  dueMs: number;
  publish(): Promise<unknown>;
}

/** Beyond this number a will is published at once: its text stays in memory until then. */
const MOST_DELAYED = 10_000;

/**
 * The wills that wait for their delay (MQTT 5 §3.1.3.2.2). A device that continues its session meanwhile, here or on
 * another edge, has not left: its will is not published (§3.1.3-9). An edge that stops publishes all of them; those of
 * an edge that is killed are lost.
 */
@Injectable()
export class DelayedWills implements OnApplicationBootstrap {
  readonly #waiting = new Map<string, DelayedWill>();

  constructor(
    private readonly presence: PresenceRepository,
    private readonly tasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.tasks.every(SECOND_MS, 'wills', () => this.publishDue(performance.now()));
  }

  /** Publishes a will after a delay; at once if too many wills wait. */
  publishLater(identity: SessionIdentity, delayMs: number, publish: () => Promise<unknown>): void {
    if (this.#waiting.size >= MOST_DELAYED) void publish();
    else this.#waiting.set(keyOf(identity), { identity, dueMs: performance.now() + delayMs, publish });
  }

  /** The device is connected again. A new session has ended the one before, and with it the delay. */
  cameBack({ identity, isResumed }: Pick<DeviceSession, 'identity' | 'isResumed'>): void {
    const will = identity === null ? undefined : this.#waiting.get(keyOf(identity));
    if (will !== undefined && this.#take(will) && !isResumed) void will.publish();
  }

  /** Publishes what is due, unless the device is connected to another edge. */
  async publishDue(nowMs: number): Promise<void> {
    const due = [...this.#waiting.values()].filter(({ dueMs }) => dueMs <= nowMs);
    if (due.length === 0) return;
    const present = await this.presence.find(due.map(({ identity }) => identity));
    const epochs = new Map(present.map((one) => [deviceKey(one.appId, one.deviceId), BigInt(one.epoch)]));
    const isGone = ({ identity }: DelayedWill): boolean =>
      (epochs.get(keyOf(identity)) ?? 0n) <= BigInt(identity.epoch);
    const taken = due.filter((will) => this.#take(will));
    await Promise.all(taken.filter(isGone).map((will) => will.publish()));
  }

  /** Publishes all of them: the edge stops. */
  async publishAll(): Promise<void> {
    const wills = [...this.#waiting.values()];
    this.#waiting.clear();
    await Promise.all(wills.map((will) => will.publish()));
  }

  /** @returns false if the will does not wait any more */
  #take(will: DelayedWill): boolean {
    const key = keyOf(will.identity);
    return this.#waiting.get(key) === will && this.#waiting.delete(key);
  }
}

function keyOf({ appId, deviceId }: SessionIdentity): string {
  return deviceKey(appId, deviceId);
}
