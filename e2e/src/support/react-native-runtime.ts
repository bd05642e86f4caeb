import { createContext, runInContext } from 'node:vm';
import WebSocketOfNode from 'ws';

/** The runtime for an application in React Native: nothing else exists in it. */
interface ReactNativeRuntime {
  /** Runs a script and returns the value of its `result`. */
  run(script: string): unknown;
}

/**
 * Passes events of a socket here to the `WebSocket` inside. Bytes are passed as numbers: an `ArrayBuffer` from outside
 * would be foreign there.
 */
interface SocketListener {
  opened(): void;
  received(data: string | number[]): void;
  closed(code: number, reason: string): void;
}

/**
 * A bare context with the parts that React Native 0.79 gives to JavaScript on Hermes, and nothing of a browser or of
 * Node.js: no `document`, `location`, `localStorage`, `indexedDB`, `crypto`, `TextDecoder`, `structuredClone`,
 * `BroadcastChannel`, `EventTarget`, `Buffer`; an `AbortSignal` without `timeout`; of `URL` and `URLSearchParams` the
 * parts in `Libraries/Blob/URL.js`. Any other name throws.
 * @param native the application's native modules, as `globalThis.native`
 */
export function reactNativeRuntime(native: object): ReactNativeRuntime {
  const timers = timersOf();
  const context = createContext({
    ...timers,
    native,
    console,
    AbortController,
    TextEncoder,
    performance: { now: () => performance.now() },
    fetch: fetchOf(),
    openSocket,
    process: { env: { NODE_ENV: 'production' } },
    navigator: { product: 'ReactNative' },
  });
  const run = (script: string): unknown => runInContext(script, context);
  run(GLOBALS);
  return { run };
}

/** Timers are numbers there. */
function timersOf(): Record<string, unknown> {
  const running = new Map<number, NodeJS.Timeout>();
  let latest = 0;
  const set =
    (make: typeof setTimeout | typeof setInterval) =>
    (work: () => void, ms?: number): number => {
      const id = ++latest;
      running.set(id, make(work, ms));
      return id;
    };
  const clear = (id: number): void => {
    clearTimeout(running.get(id));
    running.delete(id);
  };
  return {
    setTimeout: set(setTimeout),
    setInterval: set(setInterval),
    clearTimeout: clear,
    clearInterval: clear,
    setImmediate: (work: () => void) => set(setTimeout)(work, 0),
    clearImmediate: clear,
    queueMicrotask,
  };
}

function fetchOf(): (url: string, init: RequestInit) => Promise<object> {
  return async (url, init) => {
    const answer = await fetch(url, init);
    return {
      ok: answer.ok,
      status: answer.status,
      headers: { get: (name: string) => answer.headers.get(name) },
      text: () => answer.text(),
    };
  };
}

function openSocket(url: string, protocols: string | string[], listener: SocketListener): object {
  const socket = new WebSocketOfNode(url, protocols);
  socket.on('open', () => listener.opened());
  socket.on('message', (data: Buffer, isBinary) => listener.received(isBinary ? [...data] : data.toString('utf8')));
  socket.on('close', (code, reason) => listener.closed(code, reason.toString()));
  socket.on('error', () => undefined);
  return {
    send: (data: string | Uint8Array) => socket.send(typeof data === 'string' ? data : Uint8Array.from(data)),
    close: (code?: number) => socket.close(code),
  };
}

/**
 * The parts that React Native makes in JavaScript itself (`Libraries/Core`, `Libraries/Blob/URL.js`,
 * `Libraries/WebSocket`).
 */
const GLOBALS = `
globalThis.global = globalThis;
globalThis.window = globalThis;
globalThis.self = globalThis;
globalThis.AbortSignal = class AbortSignal {};
globalThis.URL = class URL {
  constructor(url) { this.text = String(url); }
  get href() { return this.text; }
  toString() { return this.text; }
  get protocol() { throw new Error('URL.protocol is not implemented'); }
  get hostname() { throw new Error('URL.hostname is not implemented'); }
};
globalThis.URLSearchParams = class URLSearchParams {
  get() { throw new Error('URLSearchParams.get is not implemented'); }
  set() { throw new Error('URLSearchParams.set is not implemented'); }
};
globalThis.WebSocket = class WebSocket {
  static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3;
  CONNECTING = 0; OPEN = 1; CLOSING = 2; CLOSED = 3;
  readyState = 0; binaryType = 'blob'; bufferedAmount = 0; listeners = new Map();
  constructor(url, protocols) {
    this.url = url;
    this.socket = openSocket(url, protocols, {
      opened: () => { this.readyState = 1; this.tell('open', {}); },
      received: (data) => this.tell('message', { data: typeof data === 'string' ? data : Uint8Array.from(data).buffer }),
      closed: (code, reason) => { this.readyState = 3; this.tell('close', { code, reason }); },
    });
  }
  addEventListener(name, listener) { this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]); }
  removeEventListener(name, listener) {
    this.listeners.set(name, (this.listeners.get(name) ?? []).filter((one) => one !== listener));
  }
  tell(type, event) {
    const all = [this['on' + type], ...(this.listeners.get(type) ?? [])];
    for (const listener of all) listener?.call(this, { type, target: this, ...event });
  }
  send(data) { this.socket.send(data instanceof ArrayBuffer ? new Uint8Array(data) : data); }
  close(code) { this.readyState = 2; this.socket.close(code); }
};
`;
