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

  it('of refused clients are closed when these would be admitted, and are looked at four times at most', async () => {
    let looks = 0;
    let isAdmissible = false;
    const look = (): Promise<boolean> => {
      looks += 1;
      return Promise.resolve(isAdmissible);
    };
    lingering.add({ ...one('early'), isAdmissible: look }, 0);
    lingering.tick(1_999);
    expect(looks).toBe(0);
    for (let ms = 2_000; ms < 90_000; ms += 1_000) lingering.tick(ms);
    expect(looks).toBe(4);
    isAdmissible = true;
    lingering.add({ ...one('in a moment'), isAdmissible: look }, 100_000);
    lingering.tick(102_000);
    await Promise.resolve();
    await Promise.resolve();
    expect(ended).toEqual(['in a moment']);
  });

  it('of refused clients stay if it cannot be found out whether these would be admitted', async () => {
    const asked = Promise.reject(new Error('PostgreSQL is away'));
    lingering.add({ ...one('refused'), isAdmissible: () => asked }, 0);
    lingering.tick(2_000);
    await asked.catch(() => undefined);
    await Promise.resolve();
    expect(ended).toEqual([]);
  });

  it('are not more than five thousand', () => {
    for (let n = 0; n <= 5_000; n++) lingering.add(one(String(n)), n);
    expect(ended).toEqual(['0']);
    lingering.endAll();
    expect(lingering.count).toBe(0);
  });
});
