import type { OutgoingDelivery } from './outgoing-delivery';
import { Outbox } from './outbox';

const delivery = (n: number, isLive = false): OutgoingDelivery =>
  ({
    message: { id: `message-${n}`, isLive },
    payload: Buffer.of(),
    page: null,
    isKept: false,
    language: null,
  }) as never;

it('an outbox lets nothing go before what found no room in it, but what is for this moment', () => {
  const outbox = new Outbox(1, 2);
  expect([1, 2, 3].map((n) => outbox.offer(delivery(n)))).toEqual(['queued', 'queued', 'full']);
  expect(outbox.askForMore()).toBeNull();
  outbox.take();
  expect(outbox.askForMore()).toBe('message-3');
  expect(outbox.askForMore()).toBeNull();
  expect(outbox.offer(delivery(4))).toBe('full');
  expect(outbox.offer(delivery(5, true))).toBe('queued');
  outbox.take();
  outbox.answered();
  expect([3, 4].map((n) => outbox.offer(delivery(n)))).toEqual(['queued', 'full']);
  outbox.take();
  outbox.take();
  expect(outbox.askForMore()).toBe('message-4');
});

it('an outbox that is held takes nothing until the ledger was read', () => {
  const outbox = new Outbox(1, 2);
  outbox.hold();
  expect(outbox.isBehind).toBe(true);
  expect(outbox.offer(delivery(1))).toBe('full');
  expect(outbox.askForMore()).toBeNull();
  outbox.answered();
  expect(outbox.offer(delivery(1))).toBe('queued');
});
