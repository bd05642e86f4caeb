import type { Schemas } from '@postrider/server';
import { pictureOf } from './messages';

describe('the picture of a message in a terminal', () => {
  const message = {
    ...{ id: 'm1', status: 'sending', count: 1_200, recipients: 1_200, trackId: null, acceptedAt: '2026-11-29' },
    ...{ totals: { sent: 600, pending: 600 }, errors: {}, skipped: {} },
  } as unknown as Schemas.MessageResponse;

  const bar = (columns: number): string => pictureOf(message, columns)[1] ?? '';

  it('has a bar of forty characters where there is room', () => {
    expect(bar(80)).toBe(`[${'#'.repeat(20)}${'.'.repeat(20)}] 50%  600 of 1200 devices`);
    expect(bar(Infinity)).toBe(bar(80));
  });

  it('begins with the state, which a narrow terminal does not cut off', () => {
    expect(pictureOf(message, 40)[0]).toBe('sending  m1  2026-11-29');
  });

  it('keeps its numbers in a narrow terminal: the bar is shorter, to none', () => {
    expect(bar(40)).toBe('[######.......] 50%  600 of 1200 devices');
    expect(bar(20)).toBe('[] 50%  600 of 1200 devices');
  });
});
