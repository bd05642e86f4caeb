import fc from 'fast-check';
import { jobsFor, type MessageToResolve } from './jobs-for';

const at = (second: number): Date => new Date(1_700_000_000_000 + second * 1_000);

describe('the jobs for messages to be resolved', () => {
  it('carry those of one application together, from the first that is due on', () => {
    const messages: MessageToResolve[] = [
      { appId: 'shop', messageId: 'late', notBefore: at(9), isBatchable: true },
      { appId: 'shop', messageId: 'campaign', notBefore: at(5) },
      { appId: 'bank', messageId: 'other', notBefore: at(7), isBatchable: true },
      { appId: 'shop', messageId: 'early', notBefore: at(3), isBatchable: true },
    ];
    expect(jobsFor(messages)).toEqual([
      { payload: { appId: 'shop', messageId: 'campaign' }, notBefore: at(5) },
      { payload: { appId: 'shop', messageId: 'early', further: ['late'] }, notBefore: at(3) },
      { payload: { appId: 'bank', messageId: 'other' }, notBefore: at(7) },
    ]);
  });

  it('carry every message once, no more than 200, of one application, and none comes after its message is due', () => {
    const message = fc.record({
      appId: fc.constantFrom('shop', 'bank'),
      notBefore: fc.option(fc.nat(60).map(at)),
      isBatchable: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 900, size: 'max' }), (drawn) => {
        const messages = drawn.map((one, n) => ({ ...one, messageId: `m-${n}` }));
        const byId = new Map(messages.map((one) => [one.messageId, one]));
        const carried = jobsFor(messages).flatMap(({ payload, notBefore }) => {
          const ids = [payload.messageId, ...(payload.further ?? [])];
          expect(ids.length).toBeLessThanOrEqual(200);
          for (const id of ids) {
            const own = byId.get(id);
            expect(own?.appId).toBe(payload.appId);
            expect(Number(notBefore)).toBeLessThanOrEqual(Number(own?.notBefore));
            if (ids.length > 1) expect(own?.isBatchable).toBe(true);
          }
          return ids;
        });
        expect(carried.sort()).toEqual([...byId.keys()].sort());
      }),
      { numRuns: 15 },
    );
  });
});
