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
});
