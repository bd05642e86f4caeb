import type { JsonObject } from './json';
import type { Fetch } from './rest/rest-api';
import { browserStorage } from './storage/browser-storage';
import type { ClientStorage } from './storage/client-storage';
import type { NotificationEvent } from './events/bus';
import type { ClientMessage } from './messages/client-message';
import type { DeferredDeepLink, Installation } from './registration/installation';
import type { PostriderError } from './rest/postrider-error';

const REST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_SECONDS = 180;
const MOST_KEEP_ALIVE_SECONDS = 65_535;

/** The options of a client. */
export interface ClientOptions {
  /** The service's address: `https://push.example.com`. */
  url: string;
  appId: string;
  /** A token that has only the scope `devices`: everyone who has the application can read it. */
  token: string;
  /**
   * The address of the connection. The default is the host of `url`: `wss://…:4433`, in Node.js `mqtts://…:8883`. If
   * `url` begins with `http:`, it is `ws://…:4433`, in Node.js `mqtt://…:1883`.
   */
  connectionUrl?: string;
  /**
   * The default is the browser's storage. In Node.js it is memory, which is for tests only; see `fileStorage`. In React Native hand one in:
   * `asyncStorageOf(AsyncStorage)`.
   */
  storage?: ClientStorage;
  /**
   * Facts about the device and the application, which are registered unchanged: `clientVersion`, `deviceModel`, `location`,
   * `clickToken`, fields of your own. They replace values that the client determines itself.
   */
  device?: JsonObject;
  /** The MQTT keep-alive. The device counts as offline after one and a half times this silence. The default is 180. */
  keepAliveSeconds?: number;
  /** A replacement for the `fetch` of the runtime, for example to use a proxy. */
  fetch?: Fetch;
}

/** The options with all defaults. */
export interface ClientSettings extends Required<Omit<ClientOptions, 'fetch'>> {
  fetch: Fetch;
  timeoutMs: number;
}

/** @throws TypeError that names the invalid option */
export function readOptions(options: ClientOptions): ClientSettings {
  const url = addressOf('url', options.url, ['http:', 'https:']).replace(/\/+$/, '');
  for (const name of ['appId', 'token'] as const) {
    if (typeof options[name] !== 'string' || options[name] === '') throw new TypeError(`${name} must be text`);
  }
  return {
    url,
    appId: options.appId,
    token: options.token,
    connectionUrl: readConnectionUrl(options.connectionUrl, url),
    storage: options.storage ?? browserStorage(),
    device: options.device ?? {},
    keepAliveSeconds: readKeepAlive(options.keepAliveSeconds),
    fetch: options.fetch ?? ((address, init) => globalThis.fetch(address, init)),
    timeoutMs: REST_TIMEOUT_MS,
  };
}

/**
 * True if a connection can be other than by WebSocket: in Node.js, not in a page, one of its workers, or React Native.
 */
function hasSockets(): boolean {
  const { process, location } = globalThis as { process?: { versions?: { node?: string } }; location?: object };
  return location === undefined && process?.versions?.node !== undefined;
}

function readKeepAlive(seconds = KEEP_ALIVE_SECONDS): number {
  if (Number.isInteger(seconds) && seconds >= 5 && seconds <= MOST_KEEP_ALIVE_SECONDS) return seconds;
  throw new TypeError(`keepAliveSeconds must be a whole number from 5 to ${MOST_KEEP_ALIVE_SECONDS}`);
}

function readConnectionUrl(given: string | undefined, url: string): string {
  const schemes = hasSockets() ? ['ws:', 'wss:', 'mqtt:', 'mqtts:', 'tcp:', 'ssl:'] : ['ws:', 'wss:'];
  if (given !== undefined) return addressOf('connectionUrl', given, schemes);
  const { scheme, host } = ADDRESS.exec(url)?.groups ?? {};
  const hostname = host ?? '';
  const isSafe = scheme?.toLowerCase() === 'https:';
  if (!hasSockets()) return `${isSafe ? 'wss' : 'ws'}://${hostname}:4433`;
  return isSafe ? `mqtts://${hostname}:8883` : `mqtt://${hostname}:1883`;
}

/** Scheme, host and port of an address. Not `URL`, most of which React Native does not have. */
const ADDRESS = /^(?<scheme>[a-z]+:)\/\/(?<host>\[[\da-f:.]+\]|[^\s/?#:@[\]]+)(?::\d{1,5})?(?:[/?#]\S*)?$/i;

/** Returns an address without a user name: the token proves the client's rights. */
function addressOf(name: string, text: unknown, schemes: readonly string[]): string {
  const scheme = typeof text === 'string' ? ADDRESS.exec(text)?.groups?.scheme : undefined;
  if (scheme !== undefined && schemes.includes(scheme.toLowerCase())) return text as string;
  throw new TypeError(`${name} must be an address that begins with ${schemes.join('// or ')}//`);
}

/** The events of a client. */
export interface ClientEvents {
  /** A message arrived, over the connection or by push. Every open page gets each message once. */
  message: ClientMessage;
  /**
   * A notification was shown, opened or dismissed, or a button was pressed. The page may open a `link` that is not a
   * web link.
   */
  notification: NotificationEvent;
  /** The device was registered. */
  registered: Installation;
  /** The user clicked a link before the application was installed. */
  deepLink: DeferredDeepLink;
  /** The device is connected and subscribed. */
  connected: { userId: string; installationId: string };
  /** The connection ended or failed. If `retryInMs` is null, the client does not try again until `connect()` is called. */
  disconnected: { reason: string; retryInMs: number | null };
  /** An error that belongs to no call of the application. */
  error: PostriderError;
}
