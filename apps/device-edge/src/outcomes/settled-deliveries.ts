import { Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';

/** Deliveries by message and device. A text of both as their key would take longer to make than to look up. */
class DeliverySet {
  readonly #devices = new Map<string, Set<DeviceId>>();

  has(messageId: string, deviceId: DeviceId): boolean {
    return this.#devices.get(messageId)?.has(deviceId) === true;
  }

  add(messageId: string, deviceId: DeviceId): void {
    const devices = this.#devices.get(messageId);
    if (devices === undefined) this.#devices.set(messageId, new Set([deviceId]));
    else devices.add(deviceId);
  }

  delete(messageId: string, deviceId: DeviceId): void {
    const devices = this.#devices.get(messageId);
    devices?.delete(deviceId);
    if (devices?.size === 0) this.#devices.delete(messageId);
  }

  /** Takes over what another set has, which must not be changed any more. */
  takeOver(other: DeliverySet): void {
    for (const [messageId, devices] of other.#devices) {
      const known = this.#devices.get(messageId);
      if (known === undefined) this.#devices.set(messageId, devices);
      else for (const deviceId of devices) known.add(deviceId);
    }
  }
}

/**
 * Deliveries whose outcome is being written, or was written lately. A statement that began before may still return them as
 * waiting: they must not be published again. Only one statement may read at a time.
 */
@Injectable()
export class SettledDeliveries {
  readonly #beingWritten = new DeliverySet();
  #recent = new DeliverySet();
  #older = new DeliverySet();

  /** Call it when the outcome of a delivery is about to be written. */
  begin(messageId: string, deviceId: DeviceId): void {
    this.#beingWritten.add(messageId, deviceId);
  }

  /** Call it when the outcome of a delivery is written. */
  add(messageId: string, deviceId: DeviceId): void {
    this.#beingWritten.delete(messageId, deviceId);
    this.#recent.add(messageId, deviceId);
  }

  /** True if the delivery must not be published again: its outcome is being written, or was written lately. */
  has(messageId: string, deviceId: DeviceId): boolean {
    return (
      this.#beingWritten.has(messageId, deviceId) ||
      this.#recent.has(messageId, deviceId) ||
      this.#older.has(messageId, deviceId)
    );
  }

  /** Call it before a statement reads waiting deliveries. @returns the argument of `endReading` */
  startReading(): object {
    this.#older.takeOver(this.#recent);
    this.#recent = new DeliverySet();
    return this.#older;
  }

  /** Forgets outcomes that were written before the statement began: later statements do not return these deliveries. */
  endReading(recordedBefore: object): void {
    if (this.#older === recordedBefore) this.#older = new DeliverySet();
  }
}
