import { type ClientEvents, type ClientOptions, readOptions } from './client-options';
import { Connection, onPageBack } from './connection/connection';
import { Lead } from './events/exclusively';
import { type TopicOwner, deferredDeepLinkOf, type Installation } from './registration/installation';
import { type Bus, type BusEvent, openBus } from './events/bus';
import { Emitter, type Unsubscribe } from './events/emitter';
import type { JsonValue } from './json';
import { type ClientMessage, readMessage } from './messages/client-message';
import { EmittedMessages, MessageReceiver, SeenMessages } from './messages/message-receiver';
import { Attributes } from './profile/attributes';
import { Channels } from './profile/channels';
import { Tags } from './profile/tags';
import { Inbox } from './profile/inbox';
import { deviceFacts } from './registration/device-facts';
import { newGuest, StateStore } from './registration/installation-state';
import { Registrar } from './registration/registrar';
import { Behaviour, Receipts } from './reports/reports';
import { Outbox } from './reports/outbox';
import { PostriderError } from './rest/postrider-error';
import { RestApi } from './rest/rest-api';
import { Notifications } from './web-push/notifications';
import { WebPush } from './web-push/subscribe';

/** The installation and the user of a device. */
export interface Identity {
  installationId: string;
  userId: string;
  isGuest: boolean;
}

/** The token of a push service, as the operating system gave it to the application. */
export interface PushToken {
  pushType: 'fcm' | 'apns' | 'hms';
  token: string;
}

/**
 * A device of a Postrider application. It registers the device, holds the connection, emits each message once, and reports
 * receipts. State that must survive a restart is in the storage.
 */
export class PostriderClient {
  readonly receipts: Receipts;
  readonly attributes: Attributes;
  readonly tags: Tags;
  readonly channels: Channels;
  readonly inbox: Inbox;
  readonly webPush: WebPush;
  readonly #appId: string;
  readonly #api: RestApi;
  readonly #registrar: Registrar;
  readonly #outbox: Outbox;
  readonly #behaviour: Behaviour;
  readonly #notifications: Notifications;
  readonly #seen: SeenMessages;
  readonly #receiver: MessageReceiver;
  readonly #connection: Connection;
  readonly #lead: Lead;
  readonly #bus: Bus;
  readonly #stopListening: () => void;
  readonly #events = new Emitter<ClientEvents>((cause) => this.#listenerFailed(cause));
  readonly #emitted = new EmittedMessages();
  #isTellingFailure = false;
  #isConnectionWanted = false;

  /** @throws TypeError if an option is not valid */
  constructor(options: ClientOptions) {
    const settings = readOptions(options);
    const { appId, storage, url, token } = settings;
    const device = deviceFacts(settings.device);
    this.#appId = appId;
    this.#api = new RestApi(settings);
    this.#bus = openBus(appId);
    this.#bus.listen((event) => this.#heard(event));
    const store = new StateStore(storage, appId, { url, token });
    this.#registrar = new Registrar(
      this.#api,
      store,
      { appId, device },
      {
        registered: (installation, hasChanged) => this.#registered(installation, hasChanged),
      },
    );
    this.#outbox = new Outbox(this.#api, this.#registrar, storage, appId);
    this.#behaviour = new Behaviour(this.#registrar, this.#outbox);
    this.receipts = new Receipts(this.#registrar, this.#outbox);
    this.attributes = new Attributes(this.#api, this.#registrar);
    this.tags = new Tags(this.#api, this.#registrar);
    this.channels = new Channels(this.#registrar);
    this.inbox = new Inbox(this.#api, this.#registrar);
    this.webPush = new WebPush(this.#registrar);
    this.#notifications = new Notifications(new SeenMessages(storage, appId, 'shown'), this.receipts);
    this.#seen = new SeenMessages(storage, appId, 'received');
    this.#receiver = new MessageReceiver(this.#seen, (message) => {
      this.#emit(message);
      this.#bus.post({ kind: 'message', message, via: 'connection' });
    });
    this.#connection = new Connection(settings, {
      identify: (isUnknown) => this.#identify(isUnknown),
      received: (payload) => this.#received(payload),
      connected: (owner) => this.#connected(owner),
      // `connect()` begins again, and another page may try meanwhile, with another token for one.
      gaveUp: () => this.#lead.give(),
      disconnected: (reason, retryInMs) => this.#events.emit('disconnected', { reason, retryInMs }),
      failed: (error) => this.#events.emit('error', error),
    });
    this.#lead = new Lead(`postrider:${appId}:connection`);
    this.#stopListening = onPageBack(() => this.#wake());
  }

  /** Adds a listener for an event. @returns a function that removes it */
  on<Name extends keyof ClientEvents>(name: Name, listener: (what: ClientEvents[Name]) => void): Unsubscribe {
    return this.#events.on(name, listener);
  }

  /** The installation and its user, or null if the device is not registered. */
  async identity(): Promise<Identity | null> {
    const state = await this.#registrar.read();
    if (state === null || state.installationId === null) return null;
    return { installationId: state.installationId, userId: state.userId, isGuest: state.isGuest };
  }

  /**
   * Registers the device, as a guest or as the user who signed in before. Call it at every start of the application: it counts
   * the launch and sends changed facts to the service, among them that the person took the permission for notifications back.
   *
   * @throws PostriderError
   */
  async register(): Promise<Installation> {
    return this.#registrar.register(await this.webPush.withdrawn());
  }

  /**
   * Registers the token that a native application got from its push service, so that messages arrive while the application is closed. Call
   * it whenever the operating system gives a token; the client keeps it for later registrations, also if this one fails. In a browser see `webPush`.
   *
   * @param token null: there is none (any more), and the device keeps its own connection
   * @param tokenStatus why, such as `DENIED`; left out, `ALLOWED` with a token
   * @throws PostriderError
   */
  setPushToken(token: PushToken | null, tokenStatus: string | null = token && 'ALLOWED'): Promise<Installation> {
    const { pushType, token: deviceToken } = token ?? { pushType: null, token: null };
    return this.#registrar.register({ deviceToken, pushType, tokenStatus });
  }

  /**
   * Makes a user the owner of the device. The device then gets the messages of this user, and no messages of the former user.
   *
   * @param userHash HMAC-SHA256 of the user's id under the application's identity key, made by the application's backend. Needed
   *   if the application requires it
   * @throws PostriderError
   */
  async signIn(userId: string, { userHash = null }: { userHash?: string | null } = {}): Promise<Installation> {
    // The former user's reports are sent first: they cannot be sent any more once the device belongs to another user.
    if ((await this.identity()) !== null) await this.#outbox.flush();
    return this.#registrar.register({ userId, userHash, isGuest: false });
  }

  /**
   * Makes a guest the owner of the device. If the application allows no guests, the installation is removed. In both cases the
   * device gets no more messages of the user.
   *
   * @throws PostriderError
   */
  async signOut(): Promise<void> {
    if ((await this.identity()) === null) return;
    await this.#outbox.flush();
    try {
      await this.#registrar.register(newGuest());
    } catch (error) {
      if (!(error instanceof PostriderError) || error.status !== 401) throw error;
      await this.unregister();
    }
  }

  /** Disconnects and removes the installation. The device gets no more messages. @throws PostriderError */
  async unregister(): Promise<void> {
    await this.disconnect();
    await this.#registrar.unregister();
  }

  /**
   * Connects, and connects again if the connection is lost. It registers the device first if needed. If several pages of one
   * origin are open, one of them connects and all get the messages.
   */
  connect(): void {
    this.#isConnectionWanted = true;
    this.#lead.take(() => this.#connection.start());
  }

  /** Ends the connection until `connect()` is called. */
  async disconnect(): Promise<void> {
    this.#isConnectionWanted = false;
    await this.#connection.stop();
    this.#lead.give();
    // Wanted again while it ended: an application went to the background and came back.
    if (this.#isConnectionWanted) this.connect();
  }

  /** True if this page or process holds an open connection. */
  get isConnected(): boolean {
    return this.#connection.isOpen;
  }

  /**
   * Tracks an action of the user. `data` may have `value`, or `revenue` and `currency`. The event is stored until the
   * service has accepted it.
   * @throws TypeError if the name is not valid, or the data has more than 16 KiB
   */
  track(name: string, data: JsonValue = {}): Promise<void> {
    return this.#behaviour.track(name, data);
  }

  /** Reports that a link of a message was opened. The report is stored until the service has accepted it. */
  linkOpened(link: string, messageId: string | null = null): Promise<void> {
    return this.#behaviour.linkOpened(link, messageId);
  }

  /**
   * Shows a message as a system notification, once, whichever way it arrived, and reports that it was shown. It needs
   * the service worker of `@postrider/client/service-worker` and the user's permission.
   *
   * @returns true if it was shown now
   */
  showNotification(message: ClientMessage): Promise<boolean> {
    return this.#notifications.show(message);
  }

  /**
   * Call it when the application is in front or on line again: the client connects at once if it waits to, tests a
   * connection that seems to be open, and sends waiting reports. In a page this happens by itself.
   */
  wake(): void {
    this.#wake();
  }

  /** Sends waiting reports now. @returns true if all of them were sent */
  flush(): Promise<boolean> {
    return this.#outbox.flush();
  }

  /** Closes the connection and removes timers and listeners. The storage stays for the next client. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#outbox.close();
    await this.disconnect();
    this.#bus.close();
  }

  async #identify(isUnknown: boolean): Promise<TopicOwner> {
    if (isUnknown || (await this.identity()) === null) await this.#registrar.register();
    return { appId: this.#appId, ...(await this.#registrar.registered()) };
  }

  /** Never throws: a message that cannot be dealt with comes to the same when it comes again, so it is acknowledged. */
  async #received(payload: string): Promise<void> {
    const message = readMessage(payload);
    if (message === null) {
      this.#events.emit('error', new PostriderError('BAD_MESSAGE', 'The service sent something that is not a message'));
      return;
    }
    try {
      await this.#receiver.receive(message, 'connection');
    } catch (cause) {
      // If nothing can be stored, this page at least gets the message once.
      this.#emit(message);
      this.#events.emit('error', new PostriderError('STORAGE_FAILED', 'The storage failed', { cause }));
    }
  }

  #emit(message: ClientMessage): void {
    if (this.#emitted.add(message.id)) this.#events.emit('message', message);
  }

  #heard(event: BusEvent): void {
    if (event.kind === 'identity') void this.#connection.restart();
    else if (event.kind === 'notification') this.#events.emit('notification', event.event);
    else {
      this.#emit(event.message);
      void this.#seen.add(event.message.id).catch(() => undefined);
    }
  }

  #registered(installation: Installation, hasChanged: boolean): void {
    if (hasChanged) {
      this.#bus.post({ kind: 'identity' });
      void this.#connection.restart();
    }
    this.#events.emit('registered', installation);
    const deepLink = deferredDeepLinkOf(installation, this.#api);
    if (deepLink !== null) this.#events.emit('deepLink', deepLink);
  }

  #connected({ userId, installationId }: TopicOwner): void {
    void this.#outbox.flush();
    this.#events.emit('connected', { userId, installationId });
  }

  #wake(): void {
    this.#connection.checkNow();
    void this.identity().then(
      (identity) => identity && this.#outbox.flush(),
      () => undefined,
    );
  }

  #listenerFailed(cause: unknown): void {
    const error = new PostriderError('LISTENER_FAILED', `A listener threw: ${String(cause)}`, { cause });
    if (!this.#isTellingFailure) {
      this.#isTellingFailure = true;
      this.#events.emit('error', error);
      this.#isTellingFailure = false;
    }
  }
}

/** Creates a client. @throws TypeError if an option is not valid */
export function createClient(options: ClientOptions): PostriderClient {
  return new PostriderClient(options);
}
