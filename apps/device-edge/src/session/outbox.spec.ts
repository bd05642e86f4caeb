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

it('an outbox is read again from the first message that it refused, which it does not take before', () => {
  const outbox = new Outbox(1, 2);
  expect([1, 2, 3, 4].map((n) => takes(outbox, delivery(n)))).toEqual([true, true, false, false]);
  outbox.take();
  expect(takes(outbox, delivery(3))).toBe(false);
  expect(outbox.askForMore()).toBe('message-3');
});

it('an outbox repeats a message under its former identifier, which no other one gets, and forgets it once acknowledged', () => {
  const outbox = new Outbox(2, 2);
  outbox.resume({ 'message-2': 1 });
  expect([1, 2].map((n) => takes(outbox, delivery(n)))).toEqual([true, true]);
  expect(outbox.takeInFlight()).toEqual({ packetId: 2, isRepetition: false });
  expect(outbox.takeInFlight()).toEqual({ packetId: 1, isRepetition: true });
  expect(outbox.inFlightIds()).toEqual({ 'message-1': 2, 'message-2': 1 });
  outbox.acknowledge(1);
  outbox.acknowledge(2);
  expect(outbox.inFlightIds()).toBeNull();
});

it('an outbox keeps the identifiers of the newest 200 messages for the next connection', () => {
  const outbox = new Outbox(1, 1);
  const ids = Array.from({ length: 201 }, (_, n) => [`message-${1_000 + n}`, n + 1] as const);
  outbox.resume(Object.fromEntries(ids));
  expect(outbox.inFlightIds()).toEqual(Object.fromEntries(ids.slice(1)));
});
