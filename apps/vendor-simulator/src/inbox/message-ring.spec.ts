import fc from 'fast-check';
import { type KeptMessage, MessageRing } from './message-ring';

const message = (id: number): KeptMessage => ({
  id,
  acceptedAt: 0,
  vendor: 'fcm',
  token: String(id),
  vendorMessageId: '',
  payload: {},
  details: {},
});
const idsOf = (ring: MessageRing): number[] => [...ring.newestFirst()].map(({ id }) => id);

describe('the ring of newest messages', () => {
  it('holds what a plain list cut to size would hold, whatever is pushed and however often it is resized', () => {
    const step = fc.oneof(fc.constant('push' as const), fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fc.array(step, { maxLength: 60 }), (size, steps) => {
        const ring = new MessageRing(size);
        let capacity = size;
        let plain: number[] = [];
        steps.forEach((what, id) => {
          if (what === 'push') {
            ring.push(message(id));
            plain = [id, ...plain];
          } else ring.resize((capacity = what));
          plain = plain.slice(0, capacity);
          expect(idsOf(ring)).toEqual(plain);
        });
      }),
    );
  });

  it('is empty after it was cleared, and works on', () => {
    const ring = new MessageRing(2);
    [1, 2, 3].forEach((id) => ring.push(message(id)));
    ring.clear();
    expect(idsOf(ring)).toEqual([]);
    ring.push(message(4));
    expect(idsOf(ring)).toEqual([4]);
  });
});
