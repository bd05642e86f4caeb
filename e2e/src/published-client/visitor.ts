import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../support/until';
import { ClientPage } from './client-page';
import { PageSockets } from './page-sockets';

/** Longer than the published client waits until it connects again. */
const STEP_MS = 4_000;
const STEPS_A_MINUTE = 15;
/** A page whose connection ended tries again, may be refused, and is quiet: within seconds, by its own clock. */
const MOST_STEPS_TO_REST = 4;

interface Tab {
  page: Page;
  client: ClientPage;
  sockets: PageSockets;
}

/** One person’s browser: pages of it share what is stored. Their clocks run, and can be moved on. */
export class Visitor {
  readonly #tabs: Tab[] = [];

  constructor(
    private readonly context: BrowserContext,
    private readonly shop: string,
  ) {}

  /** The client of the page that was opened last. */
  get last(): ClientPage {
    const tab = this.#tabs.at(-1);
    if (tab === undefined) throw new Error('No page is open');
    return tab.client;
  }

  /** Opens a page that uses the published client. @param userId who signs in at once; null: nobody */
  async open(appId: string, key: string, userId: string | null = null): Promise<ClientPage> {
    const page = await this.context.newPage();
    await page.clock.install();
    const tab = { page, client: new ClientPage(page), sockets: new PageSockets(page) };
    this.#tabs.push(tab);
    await page.goto(`https://${this.shop}/`);
    await tab.client.start(appId, key, userId);
    return tab.client;
  }

  async closeLast(): Promise<void> {
    await this.#tabs.pop()?.page.close();
  }

  /** What came to its pages. */
  async received(): Promise<string[]> {
    const all = await Promise.all(this.#tabs.map(({ client }) => client.received()));
    return all.flat().map(({ content }) => content);
  }

  /**
   * Moves the clocks on until a step passes in which no page tries to connect.
   *
   * @throws Error when some page still does after a quarter of a minute: it says what became of its connections
   */
  async rest(): Promise<void> {
    for (let steps = 0; (await this.#step()) > 0; steps++) {
      if (steps === MOST_STEPS_TO_REST) throw new Error(`A page knocks: ${this.#story()}`);
    }
  }

  /** What its pages try in a minute in which nothing happens to them, each try with what became of it. They come to rest first. */
  async knocks(): Promise<string[]> {
    await this.rest();
    const before = this.#tabs.map(({ sockets }) => sockets.count);
    for (let step = 0; step < STEPS_A_MINUTE; step++) await this.#step();
    return this.#tabs.flatMap(({ sockets }, place) => sockets.story.slice(before[place]));
  }

  /** @returns how many connections were tried: each is answered by now */
  async #step(): Promise<number> {
    await this.#allAnswered();
    const before = this.#count();
    for (const { page } of this.#tabs) await page.clock.fastForward(STEP_MS);
    // What the timers began is told by now.
    for (const { page } of this.#tabs) await page.evaluate('fetch("/").then(() => null)');
    await this.#allAnswered();
    return this.#count() - before;
  }

  async #allAnswered(): Promise<void> {
    await until(() => Promise.resolve(this.#tabs.every(({ sockets }) => sockets.areAnswered)), 10);
  }

  #count(): number {
    return this.#tabs.reduce((sum, { sockets }) => sum + sockets.count, 0);
  }

  #story(): string {
    return this.#tabs.map(({ sockets }, place) => `page ${place}: ${sockets.story.join(', ')}`).join('; ');
  }
}
