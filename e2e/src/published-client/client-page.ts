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
}

/** How often the page is checked. Without it a browser checks at every picture that it draws, sixty times a second. */
const LOOKS = { polling: 50 };

/** The client's connection, one of MQTT.js. */
interface MqttConnection {
  on(event: 'packetreceive', listener: (packet: { cmd: string }) => void): void;
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
        const auth = { appId: app, webKey: key, devMode: true };
        browser.client = new browser.chabokpush.Chabok(auth, {
          silent: true,
          realtime: true,
          webpush: { enabled: false, publicKey: 'none' },
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
        });
        const registered = new Promise<void>((resolve) => client.once?.('registered', resolve));
        client[name]?.(words);
        return Promise.all([acknowledged, registered]).then(() => undefined);
      },
      [method, channel] as const,
    );
  }

  /**
   * True if the client has ended its connection to sign somebody in and then made none as this user. It connects when its
   * registration is answered, but not if its page has not yet told it that the former connection is closed. A loaded
   * machine is slow enough for that. The next sign-in, as at a start of the page, connects.
   */
  #isLeftBehind(): Promise<boolean> {
    return this.page.evaluate(() => {
      const { client, seen } = globalThis as unknown as Browser;
      const connection = client.client as unknown as Partial<Record<'connected' | 'disconnecting', boolean>> | null;
      const isOver = connection?.disconnecting === true && !connection.connected;
      return isOver && seen.at(-1) === 'closed' && seen.at(-2)?.startsWith('registered') === true;
    });
  }

  /** Signs a user in again, once, if the client has left its page without a connection. For loops that wait for it. */
  async signInIfLeftBehind(userId: string): Promise<void> {
    if (this.#isSignedInAgain || !(await this.#isLeftBehind())) return;
    this.#isSignedInAgain = true;
    await this.call('login', userId);
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
