import { topicsOf, type Installation } from './installation';
import { Exclusive } from '../events/exclusively';
import type { JsonObject } from '../json';
import { PostriderError } from '../rest/postrider-error';
import type { RestApi } from '../rest/rest-api';
import { type InstallationState, newState, proofOf, type StateStore } from './installation-state';

/** The part of the state that a registration may change. */
export type StateChanges = Partial<
  Pick<InstallationState, 'userId' | 'userHash' | 'isGuest' | 'deviceToken' | 'pushType' | 'tokenStatus'>
>;

/** A device that is registered. */
export type RegisteredState = InstallationState & { installationId: string };

/** The registrar's services and settings. */
export interface RegistrarOptions {
  appId: string;
  /** Facts about the device. Null: a service worker, which starts no application and registers what a page found out. */
  device: JsonObject | null;
}

/** Hears about registrations. */
export interface RegistrarListener {
  /** @param hasChanged true if it must connect under another name, or with other topics, than before */
  registered(installation: Installation, hasChanged: boolean): void;
}

/**
 * Registers the device, one registration at a time in all pages of an origin. The service decides: an installation that
 * it does not know is registered again.
 */
export class Registrar {
  readonly #turn: Exclusive;
  #hasLaunched = false;

  constructor(
    private readonly api: RestApi,
    private readonly store: StateStore,
    private readonly options: RegistrarOptions,
    private readonly listener: RegistrarListener,
  ) {
    this.#turn = new Exclusive(`postrider:${options.appId}:registration`);
  }

  /** Returns the stored state of the device, registered or not. */
  read(): Promise<InstallationState | null> {
    return this.store.read();
  }

  /** @throws PostriderError `NOT_REGISTERED` */
  async registered(): Promise<RegisteredState> {
    const state = await this.store.read();
    if (state === null || state.installationId === null) {
      throw new PostriderError('NOT_REGISTERED', 'The device is not registered: call register() first');
    }
    return { ...state, installationId: state.installationId };
  }

  /**
   * Registers the device with its full state, under its present id, or as a new device. Safe to repeat. If it fails, a
   * push token among the changes is kept; the user is not.
   * @param subscriptionsAfter returns the new memberships from the present ones; left out, they stay
   * @throws PostriderError
   */
  register(changes: StateChanges = {}, subscriptionsAfter?: (now: string[]) => string[]): Promise<Installation> {
    return this.#turn.run(async () => {
      const before = (await this.store.read()) ?? newState(Date.now());
      const isLaunch = !this.#hasLaunched && this.options.device !== null;
      const launchCount = before.launchCount + (isLaunch ? 1 : 0);
      const state = { ...before, device: this.options.device ?? before.device, ...changes, launchCount };
      const subscriptions = subscriptionsAfter && subscriptionsAfter(await this.#subscriptionsOf(before));
      const body = { ...this.#body(state, isLaunch), ...(subscriptions ? { subscriptions } : {}) };
      const installation = await this.#keepToken(before, changes, () => this.#send(state.installationId, body));
      this.#hasLaunched = true;
      const after = { ...state, installationId: installation.id, channels: installation.subscriptions };
      await this.store.write(after);
      this.listener.registered(installation, this.#addressOf(before) !== this.#addressOf(after));
      return installation;
    });
  }

  /**
   * Does something with the registered installation. If the service does not know it any more, it is registered again
   * and the work is repeated, once.
   */
  async with<T>(work: (state: RegisteredState) => Promise<T>): Promise<T> {
    const state = await this.registered();
    try {
      return await work(state);
    } catch (error) {
      if (!(error instanceof PostriderError) || error.status !== 404) throw error;
      const { id } = await this.register();
      // The installation is known after all: something else does not exist.
      if (id === state.installationId) throw error;
      return work(await this.registered());
    }
  }

  /** Removes the installation: the device gets nothing more. What is known of the device stays. @throws PostriderError */
  unregister(): Promise<void> {
    return this.#turn.run(async () => {
      const state = await this.store.read();
      if (state === null || state.installationId === null) return;
      await this.api.call('DELETE', `installations/${state.installationId}`).catch((error: unknown) => {
        // It is gone already, as intended.
        if (!(error instanceof PostriderError) || error.status !== 404) throw error;
      });
      await this.store.write({ ...state, installationId: null, channels: [] });
    });
  }

  /**
   * Stores a new push token before the service is told. It is the device's token whatever the service answers, so a later
   * registration sends it. Only a request that the service calls wrong (400) leaves the state as it was: repeating it
   * with every registration would make them all fail.
   */
  async #keepToken(
    before: InstallationState,
    { deviceToken, pushType, tokenStatus }: StateChanges,
    register: () => Promise<Installation>,
  ): Promise<Installation> {
    if (deviceToken === undefined) return register();
    await this.store.write({ ...before, deviceToken, pushType, tokenStatus: tokenStatus ?? null });
    try {
      return await register();
    } catch (error) {
      if (error instanceof PostriderError && error.status === 400) await this.store.write(before);
      throw error;
    }
  }

  /** Under which name, and where, messages for this device arrive. */
  #addressOf({ installationId, userId, channels }: InstallationState): string {
    const owner = { appId: this.options.appId, userId, installationId: installationId ?? '', channels };
    return [owner.installationId, ...topicsOf(owner)].join(' ');
  }

  async #send(installationId: string | null, body: JsonObject): Promise<Installation> {
    if (installationId === null) return this.api.call('POST', 'installations', { body });
    try {
      return await this.api.call('PUT', `installations/${installationId}`, { body });
    } catch (error) {
      if (!(error instanceof PostriderError) || error.status !== 404) throw error;
      return this.api.call('POST', 'installations', { body: { ...body, reregisteredFrom: installationId } });
    }
  }

  /** As the service knows them: the application's backend may have changed them. */
  async #subscriptionsOf(state: InstallationState): Promise<string[]> {
    const { installationId, channels } = state;
    if (installationId === null) return [];
    try {
      const headers = proofOf(state);
      return (await this.api.call<Installation>('GET', `installations/${installationId}`, { headers })).subscriptions;
    } catch (error) {
      if (error instanceof PostriderError && error.status === 404) return channels;
      throw error;
    }
  }

  #body(state: InstallationState, isLaunch: boolean): JsonObject {
    const { userId, userHash, isGuest, uniqueId, installDate, launchCount, deviceToken, pushType, tokenStatus } = state;
    return {
      realtime: true,
      newInstall: state.installationId === null,
      ...state.device,
      appId: this.options.appId,
      userId,
      ...(userHash === null ? {} : { userHash }),
      isGuest,
      isLoggedIn: !isGuest,
      uniqueId,
      installDate,
      launchCount,
      ...(isLaunch ? { launchTime: Date.now() } : {}),
      ...(deviceToken === null ? {} : { deviceToken }),
      ...(pushType ? { pushType } : {}),
      ...(tokenStatus === null ? {} : { tokenStatus }),
    };
  }
}
