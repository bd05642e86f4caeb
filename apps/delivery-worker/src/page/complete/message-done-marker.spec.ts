import { systemClock } from '@postrider/domain';
import type { MessageKey } from '@postrider/persistence';
import pino from 'pino';
import { MessageDoneMarker } from './message-done-marker';

const SALE: MessageKey = { appId: 'shop', messageId: '01a20a14-6cc4-72f5-8a2a-0038c21818a5' };
const PARCEL: MessageKey = { ...SALE, messageId: '01a20a14-6cc4-72f5-8a2a-0038c21818a6' };

describe('marking messages as done', () => {
  const asked: MessageKey[] = [];
  const messages = { complete: (keys: readonly MessageKey[]) => Promise.resolve(void asked.push(...keys)) };
  let marker: MessageDoneMarker;

  beforeEach(() => {
    asked.length = 0;
    marker = new MessageDoneMarker(messages, systemClock, pino({ enabled: false }));
  });

  it('looks at a message when the last of its pages that are worked here ends', async () => {
    marker.pageBegun(SALE);
    marker.pageBegun(SALE);
    marker.pageBegun(PARCEL);
    marker.pageEnded(SALE);
    marker.pageEnded(PARCEL);
    await marker.flush();
    expect(asked).toEqual([PARCEL]);
    marker.pageEnded(SALE);
    await marker.flush();
    expect(asked).toEqual([PARCEL, SALE]);
  });

  it('looks once at a message whose pages end one after the other', async () => {
    for (let page = 0; page < 3; page++) {
      marker.pageBegun(SALE);
      marker.pageEnded(SALE);
    }
    await marker.flush();
    expect(asked).toEqual([SALE]);
  });

  it('looks 25 ms after the end of a page, and 50 ms after it while messages are many', async () => {
    jest.useFakeTimers();
    try {
      const end = (message: MessageKey): void => {
        marker.pageBegun(message);
        marker.pageEnded(message);
      };
      for (let number = 0; number < 5; number++) end({ ...SALE, messageId: `${SALE.messageId.slice(0, -1)}${number}` });
      await jest.advanceTimersByTimeAsync(24);
      expect(asked).toHaveLength(0);
      await jest.advanceTimersByTimeAsync(1);
      expect(asked).toHaveLength(5);
      end(SALE);
      await jest.advanceTimersByTimeAsync(49);
      expect(asked).toHaveLength(5);
      await jest.advanceTimersByTimeAsync(1);
      expect(asked).toHaveLength(6);
      end(PARCEL);
      await jest.advanceTimersByTimeAsync(25);
      expect(asked).toHaveLength(7);
    } finally {
      jest.useRealTimers();
    }
  });
});
