import type { Registrar, StateChanges } from '../registration/registrar';
import { PostriderError } from '../rest/postrider-error';
import type { PageGlobals, PushManager, PushSubscription, WorkerRegistration } from './browser';

/** An uncompressed point on P-256 (RFC 8292 §3.2). */
const KEY_BYTES = 65;

/** Reads a public VAPID key. @throws TypeError when it is none */
export function bytesOf(base64url: string): Uint8Array {
  const base64 = base64url.trim().replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (/^[A-Za-z0-9+/]+$/.test(base64)) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    if (bytes.length === KEY_BYTES) return bytes;
  }
  throw new TypeError('vapidPublicKey must be the base64url of an uncompressed P-256 point');
}

/** True if a key that the browser tells is this one. */
function sameBytes(told: ArrayBuffer | null, key: Uint8Array): boolean {
  if (told?.byteLength !== key.length) return false;
  const bytes = new Uint8Array(told);
  return key.every((byte, place) => byte === bytes[place]);
}

/** The parameters of web push. */
export interface WebPushOptions {
  /** The application's public VAPID key, as base64url: it is no secret. */
  vapidPublicKey: string;
  /** The address of the service worker's script, or its registration when the page has it already. */
  serviceWorker: string | WorkerRegistration;
}

/** The result. */
export type WebPushOutcome = 'enabled' | 'denied' | 'not_supported';

/** Subscribes this browser to web push, so that messages arrive while no page is open. */
export class WebPush {
  constructor(
    private readonly registrar: Registrar,
    private readonly globals: PageGlobals = globalThis as PageGlobals,
  ) {}

  /**
   * Asks for permission, subscribes, and registers the subscription. Call it from a click: browsers refuse to ask otherwise.
   *
   * @throws PostriderError `PUSH_SERVICE` when the browser's push service gives no subscription
   */
  async enable({ vapidPublicKey, serviceWorker }: WebPushOptions): Promise<WebPushOutcome> {
    const key = bytesOf(vapidPublicKey);
    const registration = await this.#workerOf(serviceWorker);
    const { Notification } = this.globals;
    if (!registration?.pushManager || !Notification) return this.#without('NOT_SUPPORTED', 'not_supported');
    const permission =
      Notification.permission === 'default' ? await Notification.requestPermission() : Notification.permission;
    if (permission !== 'granted') return this.#without('DENIED', 'denied');
    await untilActive(registration);
    const subscription = await subscribe(registration.pushManager, key).catch(async (cause: unknown) => {
      await this.#without('ERR', 'denied');
      throw new PostriderError('PUSH_SERVICE', 'The push service did not create a subscription', { cause });
    });
    await this.registrar.register({ deviceToken: JSON.stringify(subscription.toJSON()), tokenStatus: 'ALLOWED' });
    return 'enabled';
  }

  /** Ends the subscription; the device keeps its own connection. @throws PostriderError */
  async disable(): Promise<void> {
    const registration = await this.globals.navigator?.serviceWorker?.getRegistration();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
    await this.registrar.register({ deviceToken: null, tokenStatus: null });
  }

  /**
   * The subscription of a person who took the permission back ended with it. The service would go on to send to it, and each
   * message would fail in place of waiting for the connection.
   *
   * @returns what a registration has to change; nothing while the permission is there
   */
  async withdrawn(): Promise<StateChanges> {
    const permission = this.globals.Notification?.permission ?? 'granted';
    if (permission === 'granted') return {};
    const state = await this.registrar.read();
    // A token with a type is one of the operating system, which the browser's permission is not about.
    const isSubscribed = state !== null && state.deviceToken !== null && !state.pushType;
    return isSubscribed ? { deviceToken: null, tokenStatus: 'DENIED' } : {};
  }

  async #workerOf(worker: string | WorkerRegistration): Promise<WorkerRegistration | null> {
    if (typeof worker !== 'string') return worker;
    return (await this.globals.navigator?.serviceWorker?.register(worker)) ?? null;
  }

  async #without(tokenStatus: string, outcome: WebPushOutcome): Promise<WebPushOutcome> {
    await this.registrar.register({ deviceToken: null, tokenStatus });
    return outcome;
  }
}

/**
 * Waits for a worker that was just registered: browsers subscribe and show notifications only with an active one, and `register` does not
 * wait for it. A worker whose installation fails is waited for no longer; then the browser says why it refuses.
 */
export function untilActive(registration: WorkerRegistration): Promise<void> {
  const script = registration.installing ?? registration.waiting;
  return new Promise((done) => {
    const look = (): void => {
      if (registration.active || !script || script.state === 'redundant') done();
    };
    script?.addEventListener('statechange', look);
    look();
  });
}

/** The subscription that there is, unless it was made for another key: then a new one. */
async function subscribe(manager: PushManager, key: Uint8Array): Promise<PushSubscription> {
  const present = await manager.getSubscription();
  if (present && sameBytes(present.options.applicationServerKey, key)) return present;
  await present?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key.buffer as ArrayBuffer });
}
