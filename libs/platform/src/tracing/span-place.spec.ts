import fc from 'fast-check';
import { newId } from '../ids/ids';
import { firstSpan, firstSpanOf, isSampled, readTraceparent } from './span-place';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('the place of a span', () => {
  it('is told by the id of what it is about, alike in every process and never zero', () => {
    const id = newId(new Date());
    expect(firstSpanOf(id)).toEqual(firstSpanOf(id.toUpperCase()));
    expect(firstSpanOf(id).traceId).toBe(id.replaceAll('-', ''));
    expect(firstSpanOf(newId()).spanId).toMatch(/^[89ab][0-9a-f]{15}$/);
    expect(firstSpan()).not.toEqual(firstSpan());
  });

  it.each([
    ['as the standard shows it', `00-${TRACE}-${SPAN}-01`],
    ['not sampled', `00-${TRACE}-${SPAN}-00`],
    ['of a version to come, with more fields', `cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`],
  ])('is read from a traceparent %s', (_, header) => {
    expect(readTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN });
  });

  it.each([
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01x`,
  ])('is not read from traceparent %p', (header) => {
    expect(readTraceparent(header)).toBeNull();
  });

  it('reads no traceparent that would not be written again alike', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const place = readTraceparent(text);
        expect(place === null || text.includes(`-${place.traceId}-${place.spanId}-`)).toBe(true);
      }),
    );
  });
});

describe('the share of traces that is kept', () => {
  it('is about what was asked for, of ids made one after the other too, and a smaller share is part of a larger one', () => {
    const now = new Date();
    const traces = Array.from({ length: 20_000 }, () => firstSpanOf(newId(now)).traceId);
    const kept = (share: number): string[] => traces.filter((traceId) => isSampled(traceId, share));
    expect([kept(0).length, kept(1).length]).toEqual([0, 20_000]);
    expect(Math.abs(kept(0.1).length - 2_000)).toBeLessThan(300);
    const half = new Set(kept(0.5));
    expect(kept(0.1).filter((traceId) => !half.has(traceId))).toEqual([]);
  });
});
