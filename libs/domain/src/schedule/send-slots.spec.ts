import { SendSlots } from './send-slots';

const TIME = { sendsAt: 1_000, devices: 3, everyMs: 10, keptMs: 20, spareMs: 0 };

describe('the times of the devices of a page', () => {
  it('follow each other, and each is over as long after it as it is kept', () => {
    const slots = new SendSlots(TIME);
    expect([slots.waitMs(990), slots.isUsed]).toEqual([10, false]);
    expect([slots.use(), slots.isUsed]).toEqual([1_021, true]);
    expect([slots.waitMs(1_000), slots.use(), slots.waitMs(1_010), slots.use()]).toEqual([10, 1_031, 10, 1_041]);
    expect(slots.waitMs(1_020)).toBeNull();
  });

  it.each([
    [1_020, 1_021],
    [1_021, 1_031],
    [1_040, 1_041],
    [1_041, null],
  ])('are lost when the worker comes later than they are kept: at %d the next is over at %p', (now, overAt) => {
    const slots = new SendSlots(TIME);
    expect(slots.waitMs(now)).toBe(overAt === null ? null : 0);
    if (overAt !== null) expect(slots.use()).toBe(overAt);
  });

  it('move on as far as they may before one is lost', () => {
    const slots = new SendSlots({ ...TIME, spareMs: 100 });
    // The first has used 30 ms, and may still be 70 ms later than it is kept. Of the other two, moved by 70 ms, each is lost then.
    expect([slots.waitMs(1_050), slots.use()]).toEqual([0, 1_121]);
    expect([1_130, 1_140, 1_141].map((now) => slots.waitMs(now))).toEqual([0, 0, null]);
  });
});
