import { isJsonObject, type JsonObject, readJsonObject } from '../json';
import type { ClientStorage } from '../storage/client-storage';

/** The knowledge of a client about its installation, beyond a restart. */
export interface InstallationState {
  /** Null: not registered. */
  installationId: string | null;
  userId: string;
  userHash: string | null;
  isGuest: boolean;
  /** Identifies this device as long as its storage lasts. */
  uniqueId: string;
  installDate: number;
  launchCount: number;
  /** The vendor's push address; in a browser the JSON text of the subscription. */
  deviceToken: string | null;
  /** Whose token it is, where the application handed it in. Absent in a state of before. */
  pushType?: string | null;
  tokenStatus: string | null;
  /** Memberships as the service last told them. */
  channels: string[];
  /** Facts about the device, as a page found them out: a service worker registers it with the same. */
  device: JsonObject;
}

/** The facts about the service that the service worker needs and that the page knows. */
export interface ServiceFacts {
  url: string;
  token: string;
}

/** Keeps the state of the installation. */
export class StateStore {
  readonly #key: string;

  constructor(
    private readonly storage: ClientStorage,
    appId: string,
    private readonly service: ServiceFacts | null,
  ) {
    this.#key = `postrider:${appId}:installation`;
  }

  /** Returns the stored state; null: there is none, or it cannot be read. */
  async read(): Promise<InstallationState | null> {
    return (await this.#read())?.state ?? null;
  }

  /** Returns how the page reaches the service; null if no page of this storage ever registered. */
  async readService(): Promise<ServiceFacts | null> {
    return (await this.#read())?.service ?? null;
  }

  /** Stores the state of the installation, and how the page reaches the service. */
  async write(state: InstallationState): Promise<void> {
    const text = JSON.stringify({ ...state, service: this.service });
    await this.storage.update(this.#key, () => text);
  }

  async #read(): Promise<{ state: InstallationState; service: ServiceFacts | null } | null> {
    const kept = readJsonObject((await this.storage.read(this.#key)) ?? '');
    if (kept === null || typeof kept.userId !== 'string') return null;
    const { service, ...state } = kept;
    return {
      state: state as unknown as InstallationState,
      service: isJsonObject(service) ? (service as unknown as ServiceFacts) : null,
    };
  }
}

/** The state of a device that nothing is known of yet: a guest's. */
export function newState(now: number): InstallationState {
  return {
    installationId: null,
    ...newGuest(),
    uniqueId: newUuid(),
    installDate: now,
    launchCount: 0,
    deviceToken: null,
    tokenStatus: null,
    channels: [],
    device: {},
  };
}

/** Returns a new user with an id that no other user has. */
export function newGuest(): Pick<InstallationState, 'userId' | 'userHash' | 'isGuest'> {
  return { userId: `guest-${newUuid()}`, userHash: null, isGuest: true };
}

/** The header that proves the user, for calls that name the installation. */
export function proofOf({ userHash }: Pick<InstallationState, 'userHash'>): Record<string, string> {
  return userHash === null ? {} : { 'x-user-hash': userHash };
}

/**
 * A random UUID (RFC 9562 §5.4), also on a page that came over plain HTTP, where browsers offer no `randomUUID`. React Native has no
 * `crypto` unless the application adds one. An id tells devices and guests apart and proves nothing, so `Math.random` does there.
 */
export function newUuid(): string {
  const { crypto } = globalThis as { crypto?: { getRandomValues?(bytes: Uint8Array): Uint8Array } };
  const bytes = crypto?.getRandomValues
    ? crypto.getRandomValues(new Uint8Array(16))
    : Uint8Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
  const hex = [...bytes].map((byte, place) => {
    const marked = place === 6 ? (byte & 0x0f) | 0x40 : place === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  });
  return [0, 4, 6, 8, 10].map((from, at, starts) => hex.slice(from, starts[at + 1]).join('')).join('-');
}
