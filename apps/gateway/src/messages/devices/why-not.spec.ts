import type { Installation, MessageRecord } from '@postrider/persistence';
import { whyNot } from './why-not';

const ACCEPTED = new Date('2026-03-01T10:00:00Z');
const BEFORE = new Date('2026-02-01T10:00:00Z');
const AFTER = new Date('2026-03-02T10:00:00Z');
const LATER = new Date('2026-03-03T10:00:00Z');

const message = (changes: object = {}): MessageRecord =>
  ({
    acceptedAt: ACCEPTED,
    resolvedAt: ACCEPTED,
    status: 'done',
    userIds: null,
    channel: 'public/default',
    content: { content: 'Hello' },
    ...changes,
  }) as MessageRecord;

const device = (changes: object = {}): Installation =>
  ({
    userId: 'ada',
    createdAt: BEFORE,
    token: 'token',
    tokenStatus: null,
    channels: [],
    realtime: false,
    ...changes,
  }) as unknown as Installation;

describe('why a message was not sent to a device', () => {
  it.each([
    ['registered after', message(), device({ createdAt: AFTER }), BEFORE],
    ['belonged to another user', message(), device(), AFTER],
    ['is for other users', message({ userIds: ['omid'] }), device(), BEFORE],
    ['not a member of the channel public/sport', message({ channel: 'public/sport' }), device(), BEFORE],
    ['cancelled before', message({ resolvedAt: null, status: 'cancelled' }), device(), BEFORE],
    ['still being resolved', message({ resolvedAt: null, status: 'accepted', sendAt: null }), device(), BEFORE],
    ['when the scheduled message leaves', message({ resolvedAt: null, sendAt: AFTER }), device(), BEFORE],
    [
      'when the scheduled message leaves',
      message({ resolvedAt: null, sendAt: LATER }),
      device({ createdAt: AFTER }),
      AFTER,
    ],
    ['registered after the message was to be sent', message({ sendAt: AFTER }), device({ createdAt: LATER }), LATER],
    ['belonged to another user when the message was to be sent', message({ sendAt: AFTER }), device(), LATER],
    ['did not match the rules', message({ sendAt: LATER }), device({ createdAt: AFTER }), AFTER],
    ['connected at that moment', message({ content: { live: true } }), device(), BEFORE],
    ['only for devices that use the connection', message({ content: { inApp: true } }), device(), BEFORE],
    ['registered no push token', message(), device({ token: null }), BEFORE],
    ['switched off (DENIED)', message(), device({ tokenStatus: 'DENIED' }), BEFORE],
    ['did not match the rules', message(), device(), BEFORE],
  ])('is explained: %s', (words, sent, installation, ownedSince) => {
    expect(whyNot(sent, { installation, ownedSince })).toContain(words);
  });
});
