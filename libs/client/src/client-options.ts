import type { JsonObject } from './json';
import type { Fetch } from './rest/rest-api';
import { browserStorage } from './storage/browser-storage';
import type { ClientStorage } from './storage/client-storage';

const REST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_SECONDS = 180;
const MOST_KEEP_ALIVE_SECONDS = 65_535;

/** What a client is made with. */
export interface ClientOptions {
  /** The service's address: `https://push.example.com`. */
  url: string;
  appId: string;
  /** A token with the scope `devices` alone: it ships inside the application, and everybody can read it. */
  token: string;
  /**
   * Where devices connect. Left out, it is the host of `url`: in browsers `wss://…:4433` (`ws` beside `http`), elsewhere
   * `mqtts://…:8883` (`mqtt://…:1883`).
   */
  connectionUrl?: string;
  /** Left out: what this browser offers; in Node.js memory, which is only good for trying out. See `fileStorage`. */
  storage?: ClientStorage;
  /**
   * Facts about the device and the application on it, registered as they are: `clientVersion`, `deviceModel`, `location`,
   * `clickToken`, fields of your own. Whatever stands here wins over what the client finds out by itself.
   */
  device?: JsonObject;
  /** How long the connection may be silent. Those who watch presence wait half as long again. Default 180. */
  keepAliveSeconds?: number;
  /** In place of the runtime's own, to pass a proxy for one. */
  fetch?: Fetch;
}

/** The same with every default in its place. */
export interface ClientSettings extends Required<Omit<ClientOptions, 'fetch'>> {
  fetch: Fetch;
  timeoutMs: number;
}

/** @throws TypeError naming what is wrong: an application that is built like that never works */
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

/** Whether this is a web page or one of its workers: there is nothing but WebSocket to connect with. */
export function isBrowser(): boolean {
  return 'location' in globalThis;
}

function readKeepAlive(seconds = KEEP_ALIVE_SECONDS): number {
  if (Number.isInteger(seconds) && seconds >= 5 && seconds <= MOST_KEEP_ALIVE_SECONDS) return seconds;
  throw new TypeError(`keepAliveSeconds must be a whole number from 5 to ${MOST_KEEP_ALIVE_SECONDS}`);
}

function readConnectionUrl(given: string | undefined, url: string): string {
  const schemes = isBrowser() ? ['ws:', 'wss:'] : ['ws:', 'wss:', 'mqtt:', 'mqtts:', 'tcp:', 'ssl:'];
  if (given !== undefined) return addressOf('connectionUrl', given, schemes);
  const { protocol, hostname } = new URL(url);
  const isSafe = protocol === 'https:';
  if (isBrowser()) return `${isSafe ? 'wss' : 'ws'}://${hostname}:4433`;
  return isSafe ? `mqtts://${hostname}:8883` : `mqtt://${hostname}:1883`;
}

function addressOf(name: string, text: unknown, schemes: readonly string[]): string {
  if (typeof text === 'string' && URL.canParse(text) && schemes.includes(new URL(text).protocol)) return text;
  throw new TypeError(`${name} must be an address that begins with ${schemes.join('// or ')}//`);
}
