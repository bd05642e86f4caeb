import type { Logger } from '@postrider/platform';
import type { PageEnd } from '../run/page-run';
import { PagesInHand } from './pages-in-hand';
import { SlowPages } from './slow-pages';

const PAGE = { appId: 'shop', messageId: 'm', pageId: 'p' };

describe('a page of named users that takes longer than its job waits', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Tries the page with a first attempt of two seconds. @returns how often it was tried until its job was over */
  async function triesUntilOver(end: PageEnd | null): Promise<number> {
    const inHand = new PagesInHand({ deliveryConcurrency: 100, pageSize: 500 }, new SlowPages({} as Logger));
    let tries = 0;
    const attempt = async (): Promise<PageEnd | null> => {
      tries++;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return tries === 1 ? end : null;
    };
    for (let asked = 0; asked < 10; asked++) {
      const asking = inHand.ofNamedUsers('fcm', PAGE, attempt);
      await jest.advanceTimersByTimeAsync(1_000);
      if ((await asking)?.kind !== 'waits') return tries;
      await jest.advanceTimersByTimeAsync(1_000);
    }
    throw new Error('The job never ends');
  }

  it.each<[string, PageEnd | null]>([
    ['finished', { kind: 'finished' }],
    ['without anything left to claim', null],
  ])('is not tried again by its job when it is %s', async (_, end) => {
    expect(await triesUntilOver(end)).toBe(1);
  });

  it('is tried again by its job when another worker has it', async () => {
    expect(await triesUntilOver({ kind: 'lost' })).toBe(2);
  });
});
