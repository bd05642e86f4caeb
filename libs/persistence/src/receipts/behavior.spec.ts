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

  it('adds amounts as they are written', () => {
    const paid = { revenue: { amount: 33.3, currency: 'EUR' } };
    expect(after(paid, paid, paid)).toMatchObject({ 'order.sum': 99.9, 'order.sum.EUR': 99.9 });
  });

  it.each(['order.sum', 'order.sum.x'])('is not ended by the attributes of another event: %s', (name) => {
    expect(after({ name, value: 1 }, { name, value: 2 }, order, order)).toMatchObject({
      'order.count': 2,
      'order.sum.EUR': 10,
      'order.sum': 10,
    });
  });
});
