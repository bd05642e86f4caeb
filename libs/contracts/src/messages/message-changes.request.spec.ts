import type { MessageContent } from '@postrider/domain';
import { readChangedSend, type ScheduledMessage } from './message-changes.request';

const FLAGS = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };

function pathsOf(
  changes: Record<string, null>,
  content: Partial<MessageContent>,
  more: Partial<ScheduledMessage> = {},
): string[] {
  const message: ScheduledMessage = {
    kind: 'users',
    content: { ...FLAGS, content: 'Hello', ...content },
    recipients: 'everyone',
    channel: 'public/default',
    ttlSeconds: 60,
    rate: null,
    sendAt: '2026-12-01T09:00:00',
    isLocalTime: false,
    ignoreQuietHours: false,
    ...more,
  };
  return readChangedSend(message, changes).problems.map(({ path }) => path);
}

describe('null in a change of a scheduled message', () => {
  it('is refused for a field that the message has and that cannot be changed', () => {
    expect(pathsOf({ holdout: null }, { holdout: 10 })).toEqual(['holdout']);
    expect(pathsOf({ trackId: null, clientId: null }, { trackId: 't', clientId: 'c' })).toEqual([
      'trackId',
      'clientId',
    ]);
    expect(pathsOf({ inApp: null }, { inApp: true })).toEqual(['inApp']);
    expect(pathsOf({ localTime: null }, {}, { isLocalTime: true })).toEqual(['localTime']);
    expect(pathsOf({ channel: null }, {}, { channel: 'private/club' })).toEqual(['channel']);
  });

  it('is as absent for a field that the message does not have', () => {
    const nothing = { holdout: null, trackId: null, inApp: null, localTime: null, user: null, expectedCount: null };
    expect(pathsOf({ ...nothing, channel: null }, {})).toEqual([]);
  });

  it('removes a field that can be changed', () => {
    expect(pathsOf({ alertText: null, rate: null }, { alertText: 'a' }, { rate: 5 })).toEqual([]);
  });
});
