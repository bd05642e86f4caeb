import type { ClientEvents } from './client-events';
import { type ClientOptions, readOptions } from './client-options';
import { Connection } from './connection/connection';
import { Lead } from './connection/lead';
import { onPageBack } from './connection/page-signals';
import type { TopicOwner } from './connection/topics';
import { type Bus, type BusEvent, openBus } from './events/bus';
import { Emitter, type Unsubscribe } from './events/emitter';
import type { JsonObject, JsonValue } from './json';
import { type ClientMessage, readMessage } from './messages/client-message';
import { HandedOver } from './messages/handed-over';
import { MessageReceiver } from './messages/message-receiver';
import { SeenMessages } from './messages/seen-messages';
import { Attributes } from './profile/attributes';
import { Channels } from './profile/channels';
import { Inbox } from './profile/inbox';
import { Tags } from './profile/tags';
import { deviceFacts } from './registration/device-facts';
import { deferredDeepLinkOf } from './registration/deferred-deep-link';
import type { Installation } from './registration/installation';
import { newGuest, StateStore } from './registration/installation-state';
import { Registrar } from './registration/registrar';
import { Behaviour } from './reports/behaviour';
import { Outbox } from './reports/outbox';
import { Receipts } from './reports/receipts';
import { PostriderError } from './rest/postrider-error';
import { RestApi } from './rest/rest-api';
import { Notifications } from './web-push/notifications';
import { WebPush } from './web-push/subscribe';

/** Who the device is known as. */
export interface Identity {
  installationId: string;
  userId: string;
  isGuest: boolean;
}

/**
 * A device of a Postrider application: registers it, holds its connection, hands over its messages, each once, and reports what
 * became of them. Everything that has to outlive it stands in its storage.
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
  readonly #handedOver = new HandedOver();
  #isTellingFailure = false;

  /** @throws TypeError when an option is none that can work */
  constructor(options: ClientOptions) {
    const settings = readOptions(options);
    const { appId, storage, url, token } = settings;
    const device: JsonObject = { ...deviceFacts(), ...settings.device };
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
      this.#handOver(message);
      this.#bus.post({ kind: 'message', message, via: 'connection' });
    });
    this.#connection = new Connection(settings, {
      identify: (isUnknown) => this.#identify(isUnknown),
      received: (payload) => this.#received(payload),
      connected: () => void this.#connected(),
      disconnected: (reason, retryInMs) => this.#events.emit('disconnected', { reason, retryInMs }),
      failed: (error) => this.#events.emit('error', error),
    });
    this.#lead = new Lead(`postrider:${appId}:connection`);
    this.#stopListening = onPageBack(() => this.#wake());
  }

  /** Calls `listener` whenever it happens. @returns what ends that */
  on<Name extends keyof ClientEvents>(name: Name, listener: (what: ClientEvents[Name]) => void): Unsubscribe {
    return this.#events.on(name, listener);
  }

  /** Who the device is known as; null: it is not registered. */
  async identity(): Promise<Identity | null> {
    const state = await this.#registrar.read();
    if (state === null || state.installationId === null) return null;
    return { installationId: state.installationId, userId: state.userId, isGuest: state.isGuest };
  }

  /**
   * Registers the device, as a guest unless somebody signed in before. Call it at every start of the application: it counts the
   * launch and tells the service what changed.
   *
   * @throws PostriderError
   */
  register(): Promise<Installation> {
    return this.#registrar.register();
  }

  /**
   * Makes the device that of a user: they get what is sent to them, and nothing that was sent to the one before.
   *
   * @param userHash HMAC-SHA256 of the user's id under the application's identity key, from the application's backend, where
   *   the application requires it
   * @throws PostriderError
   */
  async signIn(userId: string, { userHash = null }: { userHash?: string | null } = {}): Promise<Installation> {
    // What the user before did is theirs: it cannot be reported any more once the device is another's.
    if ((await this.identity()) !== null) await this.#outbox.flush();
    return this.#registrar.register({ userId, userHash, isGuest: false });
  }

  /**
   * Makes the device a guest's. Where the application lets no guests in, it is unregistered: either way nothing that is sent
   * to the user reaches it any more.
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

  /** Disconnects and removes the installation: the device gets nothing more. @throws PostriderError */
  async unregister(): Promise<void> {
    await this.disconnect();
    await this.#registrar.unregister();
  }

  /**
   * Connects, and again whenever the connection is lost; registers the device first where that is needed. Of several pages of
   * one origin one connects, and all get the messages.
   */
  connect(): void {
    this.#lead.take(() => this.#connection.start());
  }

  /** Ends the connection until `connect()` is called. */
  async disconnect(): Promise<void> {
    await this.#connection.stop();
    this.#lead.give();
  }

  /** Whether this page or process holds an open connection. */
  get isConnected(): boolean {
    return this.#connection.isOpen;
  }

  /**
   * Tracks what the user does: `data` may hold `value`, or `revenue` and `currency`. Kept until the service took it.
   *
   * @throws TypeError for a name that is none, or data of more than 16 KiB
   */
  track(name: string, data: JsonValue = {}): Promise<void> {
    return this.#behaviour.track(name, data);
  }

  /** Tells that a link was opened that a message led to. Kept until the service took it. */
  linkOpened(link: string, messageId: string | null = null): Promise<void> {
    return this.#behaviour.linkOpened(link, messageId);
  }

  /**
   * Shows a message as a notification of the system, once however it came, and reports that. It takes a service worker of
   * `@postrider/client/service-worker`, and the person's permission.
   *
   * @returns whether it was shown now
   */
  showNotification(message: ClientMessage): Promise<boolean> {
    return this.#notifications.show(message);
  }

  /** Sends the reports that wait, at once. @returns whether none waits any more */
  flush(): Promise<boolean> {
    return this.#outbox.flush();
  }

  /** Lets go of everything: connection, timers, listeners. What is kept stays for the next client. */
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
      this.#events.emit('error', new PostriderError('BAD_MESSAGE', 'Something came that is no message'));
      return;
    }
    try {
      await this.#receiver.receive(message, 'connection');
    } catch (cause) {
      // Nothing can be kept: then this page at least gets it once.
      this.#handOver(message);
      this.#events.emit('error', new PostriderError('STORAGE_FAILED', 'The storage refuses', { cause }));
    }
  }

  #handOver(message: ClientMessage): void {
    if (this.#handedOver.add(message.id)) this.#events.emit('message', message);
  }

  #heard(event: BusEvent): void {
    if (event.kind === 'identity') void this.#connection.restart();
    else if (event.kind === 'notification') this.#events.emit('notification', event.event);
    else {
      this.#handOver(event.message);
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

  async #connected(): Promise<void> {
    void this.#outbox.flush();
    const identity = await this.identity();
    if (identity) this.#events.emit('connected', identity);
  }

  #wake(): void {
    this.#connection.hurry();
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

/** Makes a client. @throws TypeError when an option is none that can work */
export function createClient(options: ClientOptions): PostriderClient {
  return new PostriderClient(options);
}
