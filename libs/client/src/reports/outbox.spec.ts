import fc from 'fast-check';
import { testDevice } from '../testing/test-device';
import { Outbox, type Report, receiptReport } from './outbox';

const tracked = (key: string, data: string): Report => ({
  key,
  userId: 'ada',
  event: { type: 2, eventName: 'e', data, createdAt: 0 },
});

async function start(): Promise<ReturnType<typeof testDevice> & { outbox: Outbox }> {
  const device = testDevice();
  await device.registrar.register({ userId: 'ada', isGuest: false });
  return { ...device, outbox: new Outbox(device.service.api(), device.registrar, device.storage, 'shop') };
}

describe('what a device has to report', () => {
  it('is kept while the service is away, and sent once it is back, the same receipt once', async () => {
    const { service, outbox } = await start();
    for (const kind of ['SHOWN', 'OPENED', 'SHOWN'] as const)
      await outbox.add(receiptReport('ada', kind, { id: 'm' }, null, 1));
    service.failures.push(0);
    expect(await outbox.flush()).toBe(false);
    expect(await outbox.size()).toBe(2);
    expect(await outbox.flush()).toBe(true);
    expect(service.events.map(({ actionType }) => actionType)).toEqual(['SHOWN', 'OPENED']);
    expect(await outbox.size()).toBe(0);
    outbox.close();
  });

  it('is tried again by itself, not before the service wants it', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const { service, outbox } = await start();
      await outbox.add(tracked('a', 'x'));
      service.failures.push(429);
      await outbox.flush();
      await jest.advanceTimersByTimeAsync(6_900);
      expect(service.events).toEqual([]);
      await jest.advanceTimersByTimeAsync(200);
      expect(service.events).toHaveLength(1);
      outbox.close();
    } finally {
      jest.useRealTimers();
    }
  });

  it('is not tried again at once when somebody asks for a wait that no timer can hold', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const { service, outbox } = await start();
      await outbox.add(tracked('a', 'x'));
      service.retryAfter = '2592000';
      service.failures.push(429);
      await outbox.flush();
      await jest.advanceTimersByTimeAsync(6 * 3_600_000 - 1_000);
      expect(service.events).toEqual([]);
      await jest.advanceTimersByTimeAsync(2_000);
      expect(service.events).toHaveLength(1);
      outbox.close();
    } finally {
      jest.useRealTimers();
    }
  });

  it('is tried again once, also after two that waited for each other failed, and never after the end', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const { service, outbox } = await start();
      await outbox.add(tracked('a', 'x'));
      service.failures.push(0, 0);
      expect(await Promise.all([outbox.flush(), outbox.flush()])).toEqual([false, false]);
      outbox.close();
      await jest.advanceTimersByTimeAsync(600_000);
      expect(service.events).toEqual([]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is bounded: the oldest goes first', async () => {
    const { outbox } = await start();
    await outbox.add(...Array.from({ length: 600 }, (_, n) => tracked(`k${n}`, String(n))));
    expect(await outbox.size()).toBe(500);
  });

  it('of a former user is not reported for the next', async () => {
    const { service, registrar, outbox } = await start();
    await outbox.add(tracked('a', 'ada did it'));
    await registrar.register({ userId: 'bea' });
    expect(await outbox.flush()).toBe(true);
    expect(service.events).toEqual([]);
    expect(await outbox.size()).toBe(0);
  });

  it('arrives in its order, whatever the service refuses in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('good', 'bad'), { maxLength: 250 }), async (datas) => {
        const { service, outbox } = await start();
        const reports = datas.map((data, n) => tracked(`k${n}`, data));
        await outbox.add(...reports);
        expect(await outbox.flush()).toBe(true);
        expect(service.events).toEqual(reports.map(({ event }) => event).filter(({ data }) => data === 'good'));
      }),
      { numRuns: 20 },
    );
  });
});
