import type { PageEnding } from '@postrider/persistence';
import { endingBatches } from './delivery-store.service';

/** The end of a page of one device. */
function endOf(device: number): PageEnding {
  const now = new Date('2026-03-01T10:00:00Z');
  return {
    page: {
      appId: 'shop',
      messageId: '01a20a14-6cc4-72f5-8a2a-0038c21818a5',
      pageId: `00000000-0000-4000-8000-00000000000${device}`,
      fence: 1,
    },
    settlement: {
      recorded: {
        deviceIds: [String(device)],
        states: ['sent'],
        vendorMessageIds: [null],
        errorCodes: [null],
        reasons: [null],
        times: [now.getTime()],
      },
      retries: [],
      remainder: null,
      now,
      lastCallAt: now,
    },
  };
}

describe('the ends of small pages', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are written at once by an idle worker, 10 ms apart by one that sends, and 15 ms apart by one that sends much', async () => {
    const written: number[] = [];
    const batches = endingBatches((endings) => {
      written.push(endings.length);
      return Promise.resolve(endings.map(() => true));
    });
    const end = (pages: number): void => {
      for (let page = 0; page < pages; page++) batches.offer(endOf(page));
    };
    end(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(written).toEqual([1]);
    end(5);
    await jest.advanceTimersByTimeAsync(9);
    expect(written).toEqual([1]);
    await jest.advanceTimersByTimeAsync(1);
    expect(written).toEqual([1, 5]);
    end(2);
    await jest.advanceTimersByTimeAsync(14);
    expect(written).toEqual([1, 5]);
    await jest.advanceTimersByTimeAsync(1);
    expect(written).toEqual([1, 5, 2]);
  });
});
