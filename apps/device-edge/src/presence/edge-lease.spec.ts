import { EDGE_SILENCE_MS } from '@postrider/persistence';
import { EdgeLease } from './edge-lease.service';

let now: number;
let lease: EdgeLease;

beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  lease = new EdgeLease();
});
afterEach(() => jest.restoreAllMocks());

const nothing = (): Promise<void> => Promise.resolve();

async function held(): Promise<void> {
  lease.renew(now, true);
  await lease.catchUp(nothing);
  expect(lease.isHeld).toBe(true);
}

describe('the lease of an edge', () => {
  it('begins with a heartbeat, and with what was missed before it', async () => {
    expect(lease.isHeld).toBe(false);
    lease.renew(now, true);
    expect([lease.isHeld, lease.isLost]).toEqual([false, true]);
    await lease.catchUp(nothing);
    expect([lease.isHeld, lease.isLost]).toEqual([true, false]);
  });

  it('ends before other processes consider the edge dead, counted from the beginning of the last heartbeat', async () => {
    await held();
    const beganMs = now;
    now += 800;
    lease.renew(beganMs, false);
    now = beganMs + EDGE_SILENCE_MS - 1;
    expect(lease.isHeld).toBe(false);
  });

  it('stays as long as heartbeats are written', async () => {
    await held();
    for (let beat = 0; beat < 10; beat++) {
      now += 1_000;
      lease.renew(now, false);
      expect(lease.isHeld).toBe(true);
    }
  });

  it.each([
    ['the edge was considered dead', 1_000, true],
    ['no heartbeat was known to be written in time', EDGE_SILENCE_MS, false],
  ])('is lost if %s: another heartbeat is not enough', async (_, passedMs, wasDead) => {
    await held();
    now += passedMs;
    lease.renew(now, wasDead);
    expect([lease.isHeld, lease.isLost]).toEqual([false, true]);
    lease.renew(now, false);
    expect(lease.isHeld).toBe(false);
    await lease.catchUp(nothing);
    expect(lease.isHeld).toBe(true);
  });

  it('is not held if it was lost once more while the edge caught up, or if that failed', async () => {
    lease.renew(now, true);
    await lease.catchUp(() => {
      lease.renew(now, true);
      return nothing();
    });
    expect(lease.isHeld).toBe(false);
    await expect(lease.catchUp(() => Promise.reject(new Error('PostgreSQL is away')))).rejects.toThrow('away');
    expect(lease.isHeld).toBe(false);
  });
});
