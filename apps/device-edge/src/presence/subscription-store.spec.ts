import type { ChannelsRepository, ConnectionSessionsRepository, NamedMembers } from '@postrider/persistence';
import type { Channel } from '@postrider/domain';
import { TestClock } from '@postrider/testing';
import type { DeviceSession } from '../session/device-session';
import { SubscriptionStore } from './subscription-store.service';

describe('the channels of a device', () => {
  let changes: string[];
  let store: SubscriptionStore;

  beforeEach(() => {
    changes = [];
    const note =
      (sign: string) =>
      (_: string, channel: Channel, { installationIds }: NamedMembers): Promise<number> => {
        for (const id of installationIds) changes.push(`${id}${sign}${channel}`);
        return Promise.resolve(1);
      };
    const channels = { addMembers: note('+'), removeMembers: note('-') } as unknown as ChannelsRepository;
    store = new SubscriptionStore(new TestClock(), channels, {} as ConnectionSessionsRepository);
  });

  const device = (installationId: string): DeviceSession =>
    ({ identity: { appId: 'shop', installationId } }) as unknown as DeviceSession;
  const many = Array.from({ length: 1_000 }, (_, n): Channel => `public/c${n}`);

  it('are changed in their order', async () => {
    const ann = device('ann');
    await Promise.all([
      store.join(ann, ['public/a', 'public/b']),
      store.leave(ann, ['public/a']),
      store.join(ann, ['public/a']),
    ]);
    expect(changes).toEqual(['ann+public/a', 'ann+public/b', 'ann-public/a', 'ann+public/a']);
  });

  it('are not kept waiting by those of a device that leaves a thousand', async () => {
    await Promise.all([store.leave(device('ann'), many), store.join(device('bob'), ['public/news'])]);
    expect(changes).toHaveLength(1_001);
    expect(changes.indexOf('bob+public/news')).toBeLessThan(50);
  });
});
