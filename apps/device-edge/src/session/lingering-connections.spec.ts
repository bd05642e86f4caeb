import type { DeviceId } from '@postrider/domain';
import { type LingeringConnection, LingeringConnections } from './lingering-connections';

describe('connections that linger', () => {
  let lingering: LingeringConnections;
  let ended: string[];
  const one = (name: string, deviceId: DeviceId | null = null): LingeringConnection => ({
    device: deviceId === null ? null : { appId: 'shop', deviceId },
    end: () => ended.push(name),
  });

  beforeEach(() => {
    lingering = new LingeringConnections();
    ended = [];
  });

  it('are closed after ten minutes, the oldest first', () => {
    lingering.add(one('first'), 0);
    lingering.add(one('second'), 1_000);
    lingering.tick(599_999);
    expect(ended).toEqual([]);
    lingering.tick(600_000);
    expect(ended).toEqual(['first']);
    expect(lingering.count).toBe(1);
  });

  it('are closed when the connection that took their place is over', () => {
    lingering.add(one('a tab', '7'), 0);
    lingering.add(one('another device', '8'), 0);
    const gone = one('gone', '7');
    lingering.add(gone, 0);
    lingering.remove(gone);
    lingering.endOf('shop', '7');
    lingering.endOf('other', '8');
    expect(ended).toEqual(['a tab']);
  });

  it('are not more than five thousand', () => {
    for (let n = 0; n <= 5_000; n++) lingering.add(one(String(n)), n);
    expect(ended).toEqual(['0']);
    lingering.endAll();
    expect(lingering.count).toBe(0);
  });
});
