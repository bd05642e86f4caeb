import { type Resting, RestingConnections } from './lingering-connections';

describe('connections that rest', () => {
  let resting: RestingConnections;
  let ended: string[];
  const one = (name: string, deviceId: string | null = null): Resting => ({
    device: deviceId === null ? null : { appId: 'shop', deviceId },
    end: () => ended.push(name),
  });

  beforeEach(() => {
    resting = new RestingConnections();
    ended = [];
  });

  it('are closed after ten minutes, the oldest first', () => {
    resting.add(one('first'), 0);
    resting.add(one('second'), 1_000);
    resting.tick(599_999);
    expect(ended).toEqual([]);
    resting.tick(600_000);
    expect(ended).toEqual(['first']);
    expect(resting.count).toBe(1);
  });

  it('are closed when the connection that took their place is over', () => {
    resting.add(one('a tab', '7'), 0);
    resting.add(one('another device', '8'), 0);
    const gone = one('gone', '7');
    resting.add(gone, 0);
    resting.remove(gone);
    resting.wake('shop', '7');
    resting.wake('other', '8');
    expect(ended).toEqual(['a tab']);
  });

  it('are not more than five thousand', () => {
    for (let n = 0; n <= 5_000; n++) resting.add(one(String(n)), n);
    expect(ended).toEqual(['0']);
    resting.endAll();
    expect(resting.count).toBe(0);
  });
});
