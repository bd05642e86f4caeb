import { errorsOf, funnelOf, markOf, nextLookMs, progressOf, unsentOf } from './totals';

const totals = {
  pending: 4,
  sent: 10,
  delivered: 20,
  shown: 5,
  dismissed: 2,
  opened: 3,
  failed: 4,
  expired: 1,
  skipped: 1,
  cancelled: 0,
};

describe('the totals of a message', () => {
  it('become steps, each of which holds the ones behind it', () => {
    const steps = funnelOf({ totals, recipients: 50 });
    expect(steps.map(({ name, count }) => [name, count])).toEqual([
      ['Recipients', 50],
      ['Sent', 40],
      ['Delivered', 30],
      ['Shown', 10],
      ['Opened', 3],
    ]);
    expect(progressOf({ totals, recipients: 50, status: 'sending' })).toBeCloseTo(0.92);
    const none = { totals: { ...totals, pending: 0 }, recipients: 0 };
    expect(progressOf({ ...none, status: 'done' })).toBe(1);
    expect(progressOf({ ...none, status: 'accepted' })).toBe(0);
  });

  it('name as errors what no device was skipped for', () => {
    const errors = { frequency_capped: 1_895, INVALID_ARGUMENT: 2, no_code: 3 };
    expect(errorsOf({ errors, skipped: { frequency_capped: 1_895, no_token: 4, no_code: 1 } })).toEqual({
      INVALID_ARGUMENT: 2,
      no_code: 2,
    });
  });

  it('say of every device that nothing was sent to why: it was skipped, or the message ended before', () => {
    const ended = { ...totals, skipped: 8, cancelled: 212, expired: 0 };
    const unsent = unsentOf({
      totals: ended,
      byVendor: { fcm: { skipped: 5, cancelled: 196 }, hms: { cancelled: 16 } },
      skipped: { token_invalid: 5, no_token: 3 },
      skippedByVendor: { fcm: { token_invalid: 5 } },
    });
    expect(unsent.reasons).toEqual({ token_invalid: 5, no_token: 3, cancelled: 212 });
    expect(unsent.byVendor).toEqual({ fcm: { token_invalid: 5, cancelled: 196 }, hms: { cancelled: 16 } });
  });

  it('are followed by the rest of the page: at the end of the message, and whenever they change after that', () => {
    const later = { ...totals, opened: 4 };
    expect(markOf({ status: 'sending', totals })).toBe(markOf({ status: 'sending', totals: later }));
    const marks = [markOf({ status: 'sending', totals }), markOf({ status: 'done', totals })];
    expect(new Set([...marks, markOf({ status: 'done', totals: later })]).size).toBe(3);
  });

  it('are looked at often while the message runs and just after it, rarely later, never when it is long over', () => {
    const acceptedAt = '2026-03-01T10:00:00Z';
    const at = (seconds: number): number => Date.parse(acceptedAt) + seconds * 1_000;
    const running = { status: 'sending' as const, acceptedAt, startsAt: acceptedAt, doneAt: null, cancelledAt: null };
    expect(nextLookMs(running, at(1))).toBe(1_000);
    expect(nextLookMs(running, at(600))).toBe(10_000);
    const done = { ...running, status: 'done' as const, doneAt: new Date(at(60)).toISOString() };
    expect(nextLookMs(done, at(70))).toBe(2_000);
    expect(nextLookMs(done, at(130))).toBe(15_000);
    expect(nextLookMs(done, at(3_700))).toBe(false);
    const cancelled = { ...running, status: 'cancelled' as const, cancelledAt: new Date(at(600)).toISOString() };
    expect(nextLookMs(cancelled, at(620))).toBe(2_000);
  });

  it('are looked at when a scheduled message leaves, and often from then on', () => {
    const [acceptedAt, startsAt] = ['2026-03-01T10:00:00Z', '2026-03-03T10:00:00Z'];
    const from = (seconds: number): number => Date.parse(startsAt) + seconds * 1_000;
    const scheduled = { status: 'accepted' as const, acceptedAt, startsAt, doneAt: null, cancelledAt: null };
    expect(nextLookMs(scheduled, from(-3_600))).toBe(10_000);
    expect(nextLookMs(scheduled, from(-4))).toBe(4_000);
    expect(nextLookMs(scheduled, from(-0.1))).toBe(1_000);
    expect(nextLookMs({ ...scheduled, status: 'sending' }, from(2))).toBe(1_000);
    expect(nextLookMs({ ...scheduled, status: 'sending' }, from(600))).toBe(10_000);
  });
});
