import type { JsonObject } from '@postrider/domain';
import { applyBehaviors, type Behavior } from './behavior';

const NOW = new Date('2026-11-29T09:00:00Z');

function after(...events: Partial<Behavior>[]): JsonObject {
  const behaviors = events.map((event) => ({ name: 'order', value: null, at: NOW, ...event }));
  return applyBehaviors({}, behaviors, { now: NOW, latest: null });
}

describe('the sum of an event', () => {
  const order = { revenue: { amount: 5, currency: 'EUR' } };

  it('adds up the revenue while there is one currency, and ends with the second', () => {
    expect(after(order, order)).toMatchObject({ 'order.sum': 10, 'order.sum.EUR': 10 });
    const mixed = after(order, { revenue: { amount: 3, currency: 'USD' } }, order);
    expect(mixed).toMatchObject({ 'order.sum.EUR': 10, 'order.sum.USD': 3 });
    expect(mixed).not.toHaveProperty(['order.sum']);
  });

  it('of prices is what their decimals add up to', () => {
    const cent = { revenue: { amount: 0.1, currency: 'EUR' } };
    expect(after(...Array<typeof cent>(50).fill(cent))).toMatchObject({ 'order.sum': 5, 'order.sum.EUR': 5 });
  });

  it.each(['order.sum', 'order.sum.x'])('is not ended by the attributes of another event: %s', (name) => {
    expect(after({ name, value: 1 }, { name, value: 2 }, order, order)).toMatchObject({
      'order.count': 2,
      'order.sum.EUR': 10,
      'order.sum': 10,
    });
  });
});

describe('the last value of an event', () => {
  const at = (time: string): Date => new Date(`2026-11-${time}:00Z`);
  const newest = { at: at('28T12:00') };
  const [older, between] = [
    { value: 5, at: at('26T12:00') },
    { value: 7, at: at('27T12:00') },
  ];

  it.each([
    ['before the others', [newest, older, between]],
    ['between the others', [older, newest, between]],
    ['after the others', [older, between, newest]],
    ['first, and the values come in the wrong order', [newest, between, older]],
    ['last, and the values come in the wrong order', [between, older, newest]],
  ])('is that of the newest event with a value: an event without one is reported %s', (_, events) => {
    const attributes = after(...events);
    expect(attributes).toMatchObject({
      'order.last': '2026-11-28T12:00:00.000Z',
      'order.lastValue': 7,
      'order.lastValueAt': '2026-11-27T12:00:00.000Z',
    });
  });

  it('has no time of its own while the newest event has it', () => {
    const attributes = after(older, newest, between, { value: 9, at: at('28T12:00') });
    expect(attributes).toMatchObject({ 'order.last': '2026-11-28T12:00:00.000Z', 'order.lastValue': 9 });
    expect(attributes).not.toHaveProperty(['order.lastValueAt']);
    expect(after({}, {})).toEqual({ 'order.count': 2, 'order.last': NOW.toISOString() });
  });

  it('is of the event that is reported last, if two have the same time', () => {
    expect(after(older, { ...older, value: 6 })).toMatchObject({ 'order.lastValue': 6 });
  });
});
