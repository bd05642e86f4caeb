import { TestClock } from '@postrider/testing';
import { OriginPools, type PushHost } from './origin-pools';

const SILENT = new URL('https://silent.example/push/1');
const OTHER = new URL('https://other.example/push/1');

describe('push services beside one that does not answer', () => {
  let pools: OriginPools;

  beforeEach(() => {
    jest.useFakeTimers();
    pools = new OriginPools({ clock: new TestClock(), allowPrivateEndpoints: false, maxInFlight: 64 });
  });

  afterEach(async () => {
    await pools.close();
    jest.useRealTimers();
  });

  /** Gives the silent one as many requests as it takes. */
  function fill(): PushHost[] {
    const hosts: PushHost[] = [];
    for (let host = pools.begin(SILENT); host !== null; host = pools.begin(SILENT)) hosts.push(host);
    return hosts;
  }

  /** Ends its requests without an answer, after their deadline. */
  function becomeSilent(): void {
    const hosts = fill();
    jest.advanceTimersByTime(20_000);
    for (const host of hosts) pools.end(host, false);
  }

  it('wait for it once, for two seconds', () => {
    fill();
    expect(pools.free()).toBe(0);
    jest.advanceTimersByTime(2_001);
    expect(pools.free()).toBeGreaterThan(0);
  });

  it('do not wait again when it gets its next devices, and has not answered yet', () => {
    becomeSilent();
    becomeSilent();
    expect(fill()).toHaveLength(4);
    expect(pools.free()).toBe(60);
  });

  it('leave it its full share as soon as it answers', () => {
    becomeSilent();
    const host = pools.begin(SILENT) as PushHost;
    pools.end(host, true);
    expect(fill()).toHaveLength(48);
  });

  it('do not take a service for silent that refuses connections at once', () => {
    pools.end(pools.begin(OTHER) as PushHost, true);
    for (const host of [pools.begin(OTHER), pools.begin(OTHER)]) pools.end(host as PushHost, false);
    const hosts: unknown[] = [];
    while (pools.begin(OTHER) !== null) hosts.push(OTHER);
    expect(hosts).toHaveLength(48);
  });
});
