import type { IClientOptions, MqttClient } from 'mqtt';
import { PostriderError } from '../rest/postrider-error';
import { askedWaitMs, backoffMs, type BackoffRange } from './backoff';
import { topicsOf, type TopicOwner } from '../registration/installation';

/** Why a connection ended or failed (MQTT 5 §2.4), for the codes that matter here. */
const REASON = {
  badClientId: 0x85,
  badCredentials: 0x86,
  notAuthorized: 0x87,
  takenOver: 0x8e,
} as const;

const NAMES = new Map<number, string>([
  [0x81, 'malformed_packet'],
  [0x82, 'protocol_error'],
  [0x85, 'bad_client_id'],
  [0x86, 'bad_credentials'],
  [0x87, 'not_authorized'],
  [0x88, 'unavailable'],
  [0x89, 'busy'],
  [0x8b, 'shutting_down'],
  [0x8d, 'keep_alive'],
  [0x8e, 'taken_over'],
  [0x95, 'packet_too_large'],
  [0x96, 'rate_too_high'],
  [0x97, 'too_slow'],
]);

/** Returns a word for a reason code. Null: there was no code. */
function reasonName(code: number | null): string {
  if (code === null) return 'lost';
  return NAMES.get(code) ?? `reason_0x${code.toString(16)}`;
}

/**
 * True if another try is of no use: the token is not valid, or another client connected under the same name, which we
 * would only throw out in turn.
 */
function isFinal(code: number | null): boolean {
  return code === REASON.badCredentials || code === REASON.badClientId || code === REASON.takenOver;
}

const RETRY: BackoffRange = { leastMs: 1_000, mostMs: 60_000 };
const CONNECT_TIMEOUT_MS = 15_000;
/** A connection whose SUBSCRIBE is not answered in this time is given up: pings keep it open, and no message would come. */
const SUBSCRIBE_TIMEOUT_MS = 30_000;
/** An open connection on which nothing comes within this time of a ping is given up. */
const ANSWER_TIMEOUT_MS = 10_000;
const WINDOW = 20;
/** Session expiry: one year. Messages are kept by the service anyway. */
const SESSION_EXPIRY_SECONDS = 365 * 86_400;

/** Where to connect, and how. */
export interface ConnectionSettings {
  connectionUrl: string;
  token: string;
  keepAliveSeconds: number;
}

/** The client that a connection belongs to: what the connection asks of it and reports to it. */
export interface ConnectionPort {
  /** Returns the identity that connects. @param isUnknown the service did not know the device: register it first */
  identify(isUnknown: boolean): Promise<TopicOwner>;
  /** Takes a message; when the promise is fulfilled, the message is acknowledged. */
  received(payload: string): Promise<void>;
  /** @param owner the identity that is connected */
  connected(owner: TopicOwner): void;
  /** Another try is of no use: the connection ended until it is started again. */
  gaveUp(): void;
  /** @param retryInMs null: it is not tried again */
  disconnected(reason: string, retryInMs: number | null): void;
  failed(error: PostriderError): void;
}

/** Opens an MQTT connection. */
export type Connect = (url: string, options: IClientOptions) => MqttClient;

/** Loads MQTT, nine tenths of the client's code. Bundlers put it in a file of its own, which a page without a connection never loads. */
async function loadMqtt(): Promise<Connect> {
  // The package's build for browsers has nothing but a default export.
  const { default: mqtt } = await import('mqtt');
  return (url, options) => mqtt.connect(url, options);
}

/**
 * Keeps one MQTT connection open as long as it is wanted. Each try is a connection of its own: events of earlier tries
 * are ignored.
 */
export class Connection {
  #isWanted = false;
  #isOpen = false;
  #isUnknown = false;
  #failures = 0;
  #client: MqttClient | null = null;
  /** The connection whose answer to a ping is awaited. */
  #tested: MqttClient | null = null;
  /** Increases with every try; a callback with an older number is ignored. */
  #generation = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly settings: ConnectionSettings,
    private readonly port: ConnectionPort,
    /** A parameter for the specs. */
    private readonly load: () => Promise<Connect> = loadMqtt,
  ) {}

  /** True if the service has accepted the connection and it has not ended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Connects, and again whenever the connection is lost. */
  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#failures = 0;
    this.#try();
  }

  /** Disconnects. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#drop('stopped');
  }

  /** Connects again, possibly under another name. */
  async restart(): Promise<void> {
    if (!this.#isWanted) return;
    const dropped = this.#drop('restarted');
    const generation = this.#generation;
    await dropped;
    // Another restart may have connected meanwhile: of two connections under one name the service ends the former for good.
    if (this.#isWanted && generation === this.#generation) this.#try();
  }

  /**
   * The page or the network is back: a client that waits for its next try tries at once, and an open connection is
   * tested.
   */
  checkNow(): void {
    if (this.#timer !== null) this.#try();
    else if (this.#isOpen && this.#client !== null && this.#client !== this.#tested) this.#test(this.#client);
  }

  /**
   * Gives a connection up if its service does not answer: after a sleep or in another network its socket may be dead
   * without having been closed, and the keep-alive would show that minutes later.
   */
  #test(client: MqttClient): void {
    const timer = setTimeout(() => client.end(true), ANSWER_TIMEOUT_MS);
    const done = (): void => {
      clearTimeout(timer);
      client.off('packetreceive', done);
      client.off('close', done);
      if (this.#tested === client) this.#tested = null;
    };
    this.#tested = client;
    client.on('packetreceive', done);
    client.on('close', done);
    client.sendPing();
  }

  async #drop(reason: string): Promise<void> {
    this.#generation++;
    this.#stopTimer();
    const client = this.#client;
    const wasOpen = this.#isOpen;
    this.#client = null;
    this.#isOpen = false;
    if (client) await client.endAsync(!wasOpen).catch(() => undefined);
    if (wasOpen) this.port.disconnected(reason, reason === 'stopped' ? null : 0);
  }

  #try(): void {
    this.#stopTimer();
    const generation = ++this.#generation;
    void this.#open(generation).catch((error: unknown) => this.#identityFailed(generation, error));
  }

  async #open(generation: number): Promise<void> {
    const loading = this.load().catch(
      (cause: unknown) => new PostriderError('CLIENT_FAILED', 'MQTT could not be loaded', { cause }),
    );
    const owner = await this.port.identify(this.#isUnknown);
    if (generation !== this.#generation) return;
    this.#isUnknown = false;
    const connectTo = await loading;
    if (generation !== this.#generation) return;
    if (connectTo instanceof PostriderError) this.#notLoaded(connectTo);
    else this.#listen(generation, owner, connectTo(this.settings.connectionUrl, this.#options(owner)));
  }

  #listen(generation: number, owner: TopicOwner, client: MqttClient): void {
    this.#client = client;
    let code: number | null = null;
    client.handleMessage = (packet, done) => {
      const text = textOf(packet.payload);
      if (generation !== this.#generation) done(new Error('The connection is of the past'));
      else void this.port.received(text).then(() => done(), done);
    };
    client.on('connect', () => this.#opened(generation, client, owner));
    client.on('disconnect', (packet) => (code = packet.reasonCode ?? null));
    client.on('error', (error) => {
      code ??= codeOf(error);
      // A refused client sends no further packet (MQTT 5 §3.2.2.2); a socket that failed closes by itself.
      if (codeOf(error) !== null) client.end(true);
    });
    client.on('close', () => this.#lost(generation, code));
  }

  #options({ appId, userId, installationId }: TopicOwner): IClientOptions {
    const { token, keepAliveSeconds } = this.settings;
    return {
      clientId: `${appId}/${userId}/${installationId}`,
      username: token,
      password: token,
      protocolVersion: 5,
      clean: false,
      properties: { sessionExpiryInterval: SESSION_EXPIRY_SECONDS, receiveMaximum: WINDOW },
      keepalive: keepAliveSeconds,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectPeriod: 0,
      resubscribe: false,
      // A timer of a worker would need `worker-src blob:` in the page's content security policy.
      timerVariant: 'native',
    };
  }

  #opened(generation: number, client: MqttClient, owner: TopicOwner): void {
    if (generation !== this.#generation) return;
    const timer = setTimeout(() => client.end(true), SUBSCRIBE_TIMEOUT_MS);
    client.once('close', () => clearTimeout(timer));
    client.subscribe(topicsOf(owner), { qos: 1 }, (error) => {
      clearTimeout(timer);
      if (generation !== this.#generation) return;
      if (error) {
        this.port.failed(new PostriderError('SUBSCRIPTION_REFUSED', error.message, { cause: error }));
        client.end(true);
        return;
      }
      this.#failures = 0;
      this.#isOpen = true;
      this.port.connected(owner);
    });
  }

  #lost(generation: number, code: number | null): void {
    if (generation !== this.#generation) return;
    this.#client = null;
    this.#isUnknown = code === REASON.notAuthorized;
    this.#ended(reasonName(code), isFinal(code));
  }

  /** The page is offline, or its files are no longer on the server. Only the first failure in a row is an error of its own. */
  #notLoaded(error: PostriderError): void {
    if (this.#failures === 0) this.port.failed(error);
    this.#ended('not_loaded', false);
  }

  /** The device cannot be registered now, or for good; or something of the runtime refuses, a storage for one. */
  #identityFailed(generation: number, error: unknown): void {
    if (generation !== this.#generation) return;
    const isRefused = error instanceof PostriderError && !error.isTemporary;
    if (isRefused) this.port.failed(error);
    else if (!(error instanceof PostriderError)) {
      this.port.failed(new PostriderError('CLIENT_FAILED', String(error), { cause: error }));
    }
    this.#ended('not_registered', isRefused, askedWaitMs(error));
  }

  /** @param leastMs the shortest wait before the next try */
  #ended(reason: string, isForGood: boolean, leastMs = 0): void {
    this.#generation++;
    this.#isOpen = false;
    this.#failures++;
    const delayMs = isForGood ? null : Math.max(backoffMs(this.#failures, RETRY), leastMs);
    if (delayMs === null) {
      this.#isWanted = false;
      this.port.gaveUp();
      if (reason !== 'not_registered') this.port.failed(new PostriderError('CONNECTION_REFUSED', reason));
    } else {
      this.#timer = setTimeout(() => this.#try(), delayMs);
    }
    this.port.disconnected(reason, delayMs);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** The text of a payload. React Native has no `TextDecoder`; there the payload is a `Buffer` of the package's own, which can tell. */
function textOf(payload: string | Uint8Array): string {
  if (typeof payload === 'string') return payload;
  return 'TextDecoder' in globalThis ? new TextDecoder().decode(payload) : payload.toString();
}

/** The reason code of a refused CONNECT; null for an error of the network. */
function codeOf(error: Error | { code?: unknown }): number | null {
  const { code } = error as { code?: unknown };
  return typeof code === 'number' ? code : null;
}

/** Something that is listened to. */
interface Signals {
  addEventListener(name: string, listener: () => void): void;
  removeEventListener(name: string, listener: () => void): void;
}

/**
 * Calls `wake` when the page is back: on line, in front, or out of the browser's cache of pages.
 *
 * @returns what ends it; outside a page nothing ever happens
 */
export function onPageBack(wake: () => void): () => void {
  const page = globalThis as unknown as Signals & { document?: Signals & { hidden: boolean } };
  const { document } = page;
  if (!document) return () => undefined;
  const whenVisible = (): void => {
    if (!document.hidden) wake();
  };
  const watched: [Signals, string, () => void][] = [
    [page, 'online', wake],
    [page, 'pageshow', wake],
    [document, 'visibilitychange', whenVisible],
  ];
  for (const [target, name, listener] of watched) target.addEventListener(name, listener);
  return () => {
    for (const [target, name, listener] of watched) target.removeEventListener(name, listener);
  };
}
