import { until, untilTrue } from '@postrider/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Postrider } from '../support/postrider';
import { ClientPage } from './client-page';
import { type PublishedClientStage, SHOP } from './published-client-stage';
import { SlowLine } from './slow-line';

/** More of them find what one does not; twenty take a quarter of an hour. */
const ROUNDS = Number(process.env.ROUNDS ?? 1);
/** How many times slower a page is. On a slow one its timers overtake the answers of the network. */
const SLOWDOWN = Number(process.env.SLOWDOWN ?? 1);
/**
 * The steps by which time passes. The client gives a connection up that has no answer for 15 seconds. A page does what is
 * due in a step in the order in which it was planned, so in one long step it would give a connection up first.
 */
const STEP_SECONDS = 10;
const TIMEOUT_MS = ROUNDS * 300_000;

/** A page and its client. */
interface Tab {
  page: Page;
  client: ClientPage;
}

/** One person’s browser: its pages share its storage. */
class Visitor {
  readonly tabs: Tab[] = [];

  constructor(private readonly context: BrowserContext) {}

  async open(appId: string, key: string, userId: string | null = null): Promise<ClientPage> {
    const page = await this.context.newPage();
    await page.clock.install();
    const session = await this.context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const tab: Tab = { page, client: new ClientPage(page) };
    this.tabs.push(tab);
    await page.goto(`https://${SHOP}/`);
    await tab.client.start(appId, key, userId);
    return tab.client;
  }

  async received(): Promise<string[]> {
    const all = await Promise.all(this.tabs.map(({ client }) => client.received()));
    return all.flat().map(({ content }) => content);
  }

  /**
   * Lets minutes pass until its pages try no connection in two of them in a row. A page that is refused and tries again
   * for ever does so in every minute, so this would never end.
   */
  async becomesQuiet(): Promise<void> {
    let quietMinutes = 0;
    while (quietMinutes < 2) {
      const { tried } = await this.#connections();
      for (let seconds = 0; seconds < 60; seconds += STEP_SECONDS) await this.#letPass(STEP_SECONDS);
      quietMinutes = (await this.#connections()).tried === tried ? quietMinutes + 1 : 0;
    }
  }

  /** Lets time pass in its pages, after they have handled the answers to what they sent. */
  async #letPass(seconds: number): Promise<void> {
    await untilTrue(async () => (await this.#connections()).unanswered === 0);
    for (const { page } of this.tabs) await page.clock.fastForward(seconds * 1_000);
    // What the timers began has been sent before this is answered.
    for (const { page } of this.tabs) await page.evaluate('fetch("/").then(() => null)');
  }

  async leave(): Promise<void> {
    await this.context.close();
  }

  /** How many connections its pages have tried, and how many requests on them wait for an answer. */
  async #connections(): Promise<{ tried: number; unanswered: number }> {
    const all = await Promise.all(this.tabs.map(({ client }) => client.connections()));
    return {
      tried: all.reduce((sum, { tried }) => sum + tried, 0),
      unanswered: all.reduce((sum, { unanswered }) => sum + unanswered, 0),
    };
  }
}

let users = 0;

/** What happens to a page and its person, at so many milliseconds of lag: an application, lines and a browser of its own. */
export function roundsScenario(stage: () => PublishedClientStage, lagMs: number): void {
  const appId = `shop-${lagMs}`;
  let postrider: Postrider;
  let lines: SlowLine[];
  let browser: Browser;
  let app: Awaited<ReturnType<Postrider['createApplication']>>;
  /** The visitor of the present story; null after its end. */
  let visiting: Visitor | null = null;

  beforeAll(async () => {
    ({ postrider } = stage());
    app = await postrider.createApplication(appId);
    const { gatewayPort, brokerPort } = stage();
    lines = [await SlowLine.open(gatewayPort, lagMs), await SlowLine.open(brokerPort, lagMs)];
    browser = await stage().launch(lines[0]?.port ?? 0, lines[1]?.port ?? 0);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all((lines ?? []).map((line) => line.close()));
  });

  const send = (body: object): Promise<unknown> => app.server.call('POST', '/api/push/toUsers', body);
  const isOnlineAs = async (client: ClientPage, userId: string): Promise<boolean> => {
    const id = await client.installationId();
    if ((await app.server.find<{ userId: string }>(`/api/installations/${id}`))?.userId !== userId) return false;
    return (await app.server.find<{ online: boolean }>(`/api/installations/${id}/presence`))?.online === true;
  };

  const untilOnlineAs = async (client: ClientPage, userId: string): Promise<void> => {
    await until(async () => {
      await client.signInIfLeftBehind(userId);
      return isOnlineAs(client, userId);
    });
  };

  /** Runs a story with a new person, and checks its end: their page gets each message once, and is quiet. */
  const rounds = async (story: (visitor: Visitor, userId: string) => Promise<string>): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      // The story's own limit ends what hangs.
      context.setDefaultTimeout(0);
      const visitor = new Visitor(context);
      visiting = visitor;
      const owner = await story(visitor, `user-${++users}`);
      await untilOnlineAs(visitor.tabs.at(-1)?.client as ClientPage, owner);
      await send({ user: owner, content: `to ${owner}` });
      await until(async () => (await visitor.received()).includes(`to ${owner}`));
      await visitor.becomesQuiet();
      expect((await visitor.received()).filter((one) => one === `to ${owner}`)).toHaveLength(1);
      await visitor.leave();
      visiting = null;
    }
  };
  /** Reports the state of a story that did not end, and ends it: it would go on beside the next ones. */
  afterEach(async () => {
    for (const { client } of visiting?.tabs ?? []) {
      const id = await client.installationId();
      console.error({
        seen: await client.seen(),
        connections: await client.connections(),
        received: (await client.received()).map(({ content }) => content),
        installation: await app.server.find(`/api/installations/${id}`),
        presence: await app.server.find(`/api/installations/${id}/presence`),
      });
    }
    await visiting?.leave();
    visiting = null;
  });

  it(
    'signs in right after it is made',
    () =>
      rounds(async (visitor, userId) => {
        await visitor.open(appId, app.clientToken, userId);
        return userId;
      }),
    TIMEOUT_MS,
  );

  it.each([
    ['is registering', null],
    ['is registered', 'registered'],
    ['is connected', 'connected'],
  ])(
    'signs in while its guest %s',
    (_, seen) =>
      rounds(async (visitor, userId) => {
        const client = await visitor.open(appId, app.clientToken);
        if (seen !== null) await client.untilSeen(seen);
        await client.call('login', userId);
        await client.untilSeen('registered', 2);
        return userId;
      }),
    TIMEOUT_MS,
  );

  it(
    'has two users, one after the other',
    () =>
      rounds(async (visitor, userId) => {
        const client = await visitor.open(appId, app.clientToken, `${userId}-first`);
        await client.untilSeen('connected');
        await client.call('login', userId);
        await untilOnlineAs(client, userId);
        return userId;
      }),
    TIMEOUT_MS,
  );

  it(
    'is open in two tabs',
    () =>
      rounds(async (visitor, userId) => {
        const first = await visitor.open(appId, app.clientToken, userId);
        await first.untilSeen('connected');
        const second = await visitor.open(appId, app.clientToken, userId);
        await second.untilSeen('connected');
        return userId;
      }),
    TIMEOUT_MS,
  );

  it(
    'is off line for some time',
    () =>
      rounds(async (visitor, userId) => {
        const client = await visitor.open(appId, app.clientToken, userId);
        await client.untilSeen('connected');
        await untilOnlineAs(client, userId);
        for (const line of lines) line.cut();
        await client.untilSeen('closed', 4);
        await send({ user: userId, content: 'meanwhile' });
        for (const line of lines) line.mend();
        await until(async () => (await visitor.received()).includes('meanwhile'));
        return userId;
      }),
    TIMEOUT_MS,
  );

  it(
    'gets another key when its own is revoked',
    () =>
      rounds(async (visitor, userId) => {
        const path = `/api/admin/apps/${appId}/tokens`;
        const { body } = await postrider.admin.call<{ id: string; token: string }>('POST', path, {
          name: 'old',
          scopes: ['devices'],
        });
        const old = await visitor.open(appId, body.token, userId);
        await old.untilSeen('connected');
        await postrider.admin.call('DELETE', `${path}/${body.id}`);
        await old.untilSeen('error');
        await visitor.becomesQuiet();
        await visitor.tabs.pop()?.page.close();
        // The page signs in at every start, as an application's does: which of its first two users, guest or user, the client
        // itself remembers depends on whose answer it handled last.
        const client = await visitor.open(appId, app.clientToken, userId);
        await client.untilSeen('connected');
        return userId;
      }),
    TIMEOUT_MS,
  );

  it(
    'leaves a channel and joins it again',
    () =>
      rounds(async (visitor, userId) => {
        // A user who signs in later has one connection; one who does so at once may have two, of which the client asks
        // either.
        const client = await visitor.open(appId, app.clientToken);
        await client.untilSeen('connected');
        await client.call('login', userId);
        await untilOnlineAs(client, userId);
        await client.untilSeen('connected', 2);
        const channel = `news-${userId}`;
        const isMember = async (): Promise<boolean> => {
          const { channels } = (await app.server.call<{ channels: { channel: string }[] }>('GET', '/api/channels'))
            .body;
          return channels.some((one) => one.channel === `public/${channel}`);
        };
        await client.change('subscribe', channel);
        await until(isMember);
        await client.change('unSubscribe', channel);
        await until(async () => !(await isMember()));
        await client.change('subscribe', channel);
        await until(isMember);
        await send({ user: '*', channel, content: `on ${channel}` });
        await until(async () => (await visitor.received()).includes(`on ${channel}`));
        return userId;
      }),
    TIMEOUT_MS,
  );
}
