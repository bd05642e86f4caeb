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
