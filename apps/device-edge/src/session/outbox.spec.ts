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

/** Offers a delivery. @returns true if the outbox has taken it */
function takes(outbox: Outbox, offered: OutgoingDelivery): boolean {
  outbox.offer(offered);
  return outbox.knows(offered.message.id);
}

it('an outbox lets nothing go before what found no room in it, but what is for this moment', () => {
  const outbox = new Outbox(1, 2);
  expect([1, 2, 3].map((n) => takes(outbox, delivery(n)))).toEqual([true, true, false]);
  expect(outbox.askForMore()).toBeNull();
  outbox.take();
  expect(outbox.askForMore()).toBe('message-3');
  expect(outbox.askForMore()).toBeNull();
  expect(takes(outbox, delivery(4))).toBe(false);
  expect(takes(outbox, delivery(5, true))).toBe(true);
  outbox.take();
  outbox.answered();
  expect([3, 4].map((n) => takes(outbox, delivery(n)))).toEqual([true, false]);
  outbox.take();
  outbox.take();
  expect(outbox.askForMore()).toBe('message-4');
});

it('an outbox that is held takes nothing until the ledger was read', () => {
  const outbox = new Outbox(1, 2);
  outbox.hold();
  expect(outbox.isBehind).toBe(true);
  expect(takes(outbox, delivery(1))).toBe(false);
  expect(outbox.askForMore()).toBeNull();
  outbox.answered();
  expect(takes(outbox, delivery(1))).toBe(true);
});
