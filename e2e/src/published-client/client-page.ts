import type { Page } from 'playwright-core';

/** A message as the published client hands it to the application. */
export interface ClientMessage {
  id: string;
  content: string;
  channel?: string;
  trackId?: string;
  data?: unknown;
  notification?: Record<string, unknown>;
}

/** The page's memory about its client. Runs in the browser. */
interface Browser {
  chabokpush: { Chabok: new (auth: object, options: object) => Record<string, (...words: unknown[]) => unknown> };
  client: Record<string, (...words: unknown[]) => unknown>;
  messages: ClientMessage[];
  seen: string[];
  /** How many connections the client has tried. */
  tried: number;
  /** The requests that wait for their answer, by the stream on which each was sent: a connection has one after the other. */
  unanswered: Set<{ connection: MqttConnection; stream: MqttStream }>;
}

/** How often the page is checked. Without it a browser checks at every picture that it draws, sixty times a second. */
const LOOKS = { polling: 50 };

/** What an `MqttConnection` reads and writes: one WebSocket. */
interface MqttStream {
  destroyed: boolean;
  on(event: 'close', listener: () => void): void;
}

/** The client's connection, one of MQTT.js. */
interface MqttConnection {
  connected: boolean;
  /** True once the client has ended it. */
  disconnecting: boolean;
  stream: MqttStream;
  on(event: 'packetsend' | 'packetreceive', listener: (packet: { cmd: string }) => void): void;
  on(event: 'close', listener: () => void): void;
  removeListener(event: 'packetreceive', listener: (packet: { cmd: string }) => void): void;
}

/** The published client in a page, driven as an application would. */
export class ClientPage {
  #isSignedInAgain = false;

  constructor(private readonly page: Page) {}

  /** Starts the client. @param userId the user who signs in at once; null: none */
  async start(appId: string, webKey: string, userId: string | null = null): Promise<void> {
    await this.page.evaluate(
      ([app, key, user]) => {
        const browser = globalThis as unknown as Browser;
        browser.messages = [];
        browser.seen = [];
        browser.tried = 0;
        browser.unanswered = new Set();
        const requests = ['connect', 'subscribe', 'unsubscribe', 'pingreq'];
        const answers = ['connack', 'suback', 'unsuback', 'pingresp'];
        const watch = (connection: MqttConnection): void => {
          const forget = (stream: MqttStream): void => {
            for (const request of browser.unanswered) {
              if (request.stream === stream) browser.unanswered.delete(request);
            }
          };
          const sent = ({ cmd }: { cmd: string }): void => {
            const { stream } = connection;
            if (!requests.includes(cmd) || stream.destroyed) return;
            browser.unanswered.add({ connection, stream });
            if (cmd !== 'connect') return;
            browser.tried++;
            stream.on('close', () => forget(stream));
          };
          const received = ({ cmd }: { cmd: string }): void => {
            if (!answers.includes(cmd)) return;
            // Nothing says which stream it came on; the oldest request is answered first.
            const oldest = [...browser.unanswered].find((request) => request.connection === connection);
            if (oldest !== undefined) browser.unanswered.delete(oldest);
          };
          connection.on('packetsend', sent);
          connection.on('packetreceive', received);
          // A connection sends its first request while it is made.
          sent({ cmd: 'connect' });
        };
        const auth = { appId: app, webKey: key, devMode: true };
        browser.client = new browser.chabokpush.Chabok(auth, {
          silent: true,
          realtime: true,
          webpush: { enabled: false, publicKey: 'none' },
        });
        let latest: MqttConnection | undefined;
        Object.defineProperty(browser.client, 'client', {
          get: () => latest,
          set: (connection: MqttConnection) => watch((latest = connection)),
        });
        for (const name of ['registered', 'connected', 'closed', 'error', 'geo']) {
          browser.client.on?.(name, (what: unknown) =>
            browser.seen.push(`${name} ${JSON.stringify(what) ?? ''}`.trim()),
          );
        }
        browser.client.on?.('message', (message: unknown) => browser.messages.push(message as ClientMessage));
        if (user !== null) browser.client.login?.(user);
      },
      [appId, webKey, userId] as const,
    );
  }

  /** Calls a method of the client. What it gives back may be its whole connection, and is left there. */
  async call(method: string, ...words: unknown[]): Promise<void> {
    await this.page.evaluate(
      ([name, args]) => {
        (globalThis as unknown as Browser).client[name]?.(...args);
      },
      [method, words] as const,
    );
  }

  /**
   * Joins or leaves a channel. The client reports it twice, by REST and on its connection, and accepts an old answer as
   * a new one: a caller that changes the channel again before both have come may find the contrary state.
   */
  async change(method: 'subscribe' | 'unSubscribe', channel: string): Promise<void> {
    await this.page.evaluate(
      ([name, words]) => {
        const { client } = globalThis as unknown as Browser;
        const connection = client.client as unknown as MqttConnection;
        const acknowledged = new Promise<void>((resolve) => {
          const listener = ({ cmd }: { cmd: string }): void => {
            if (cmd !== 'suback' && cmd !== 'unsuback') return;
            connection.removeListener('packetreceive', listener);
            resolve();
          };
          connection.on('packetreceive', listener);
          // The client does not repeat on a new connection what was not acknowledged on the former one.
          connection.on('close', resolve);
        });
        const registered = new Promise<void>((resolve) => client.once?.('registered', resolve));
        client[name]?.(words);
        return Promise.all([acknowledged, registered]).then(() => undefined);
      },
      [method, channel] as const,
    );
  }

  /**
   * True if the client has ended its connection to sign this user in and then made none. It connects when its registration
   * is answered, but not if its page has not yet told it that the former connection is closed. A loaded machine is slow
   * enough for that. The next sign-in, as at a start of the page, connects.
   */
  #isLeftBehind(userId: string): Promise<boolean> {
    return this.page.evaluate((user) => {
      const { client } = globalThis as unknown as Browser;
      const connection = client.client as unknown as MqttConnection | undefined;
      // The client stores its user when the registration is answered, and connects or does not in the same moment.
      return client.getUserId?.() === user && connection?.disconnecting === true && !connection.connected;
    }, userId);
  }

  /** Signs a user in again, once, if the client has left its page without a connection. For loops that wait for it. */
  async signInIfLeftBehind(userId: string): Promise<void> {
    if (this.#isSignedInAgain || !(await this.#isLeftBehind(userId))) return;
    this.#isSignedInAgain = true;
    await this.call('login', userId);
  }

  /**
   * How many connections it has tried, and how many requests on them wait for an answer. Only the client knows what it has
   * handled: the browser has an answer before that, and on a busy machine a timer of the page may come between.
   */
  async connections(): Promise<{ tried: number; unanswered: number }> {
    return this.page.evaluate(() => {
      const { tried, unanswered } = globalThis as unknown as Browser;
      return { tried, unanswered: unanswered.size };
    });
  }

  /** The id under which the client is registered. */
  async installationId(): Promise<string> {
    return this.page.evaluate(() => (globalThis as unknown as Browser).client.getInstallationId?.() as string);
  }

  /** Waits until the client said something that begins with this, so often. */
  async untilSeen(what: string, times = 1): Promise<void> {
    await this.page.waitForFunction(
      ([text, count]) =>
        (globalThis as unknown as Browser).seen.filter((line) => line.startsWith(text)).length >= count,
      [what, times] as const,
      LOOKS,
    );
  }

  /** Returns the client's reports so far. */
  async seen(): Promise<string[]> {
    return this.page.evaluate(() => (globalThis as unknown as Browser).seen);
  }

  /** Waits until it has received so many messages. */
  async untilReceived(count: number): Promise<ClientMessage[]> {
    await this.page.waitForFunction((n) => (globalThis as unknown as Browser).messages.length >= n, count, LOOKS);
    return this.received();
  }

  async received(): Promise<ClientMessage[]> {
    return this.page.evaluate(() => (globalThis as unknown as Browser).messages);
  }
}
