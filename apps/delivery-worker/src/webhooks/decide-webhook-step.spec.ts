import fc from 'fast-check';
import { HOUR_MS } from '@postrider/domain';
import type { WebhookAnswer } from '@postrider/vendors';
import { decideWebhookStep } from './decide-webhook-step';

const NOW = new Date('2026-03-01T12:00:00Z');
const DEADLINE = new Date(NOW.getTime() + 24 * HOUR_MS);
const policy = { timeScale: 1, random: () => 0 };
const answer = (status: number, retryAfter?: string): WebhookAnswer => ({ kind: 'answer', status, retryAfter });
const after = (ms: number): Date => new Date(NOW.getTime() + ms);

describe('what comes after an attempt to send an event', () => {
  it.each([200, 201, 202, 204, 299])('%i takes it', (status) => {
    expect(decideWebhookStep({ tries: 1, deadlineAt: DEADLINE }, answer(status), NOW, policy)).toMatchObject({
      state: 'delivered',
      wakeAt: null,
      error: null,
    });
  });

  it.each([
    ['a server error', answer(500), 5_000, null, /500/],
    ['a refusal', answer(404), 5_000, null, /404/],
    ['a redirect', answer(302), 5_000, null, /redirects/],
    ['no answer', { kind: 'failure', code: 'TIMEOUT', reason: 'late' } as const, 5_000, null, /TIMEOUT: late/],
    ['too many', answer(429, '90'), 90_000, 90_000, /429/],
    ['not there', answer(503, 'Sun, 01 Mar 2026 13:00:00 GMT'), HOUR_MS, HOUR_MS, /503/],
    ['a pause too short', answer(429, '1'), 5_000, 1_000, /429/],
    ['a pause beyond reason', answer(429, '999999999'), 6 * HOUR_MS, 6 * HOUR_MS, /429/],
    ['a pause nobody can read', answer(429, 'soon'), 5_000, null, /429/],
    ['a pause with another answer', answer(500, '90'), 5_000, null, /500/],
  ])('%s is tried again', (_, said, delayMs, holdMs, error) => {
    const step = decideWebhookStep({ tries: 1, deadlineAt: DEADLINE }, said, NOW, policy);
    expect(step).toMatchObject({ state: 'waiting', wakeAt: after(delayMs), error: expect.stringMatching(error) });
    expect(step.penalty).toEqual({ heldUntil: holdMs === null ? null : after(holdMs), isGone: false });
  });

  it('410 says that the receiver wants no more', () => {
    expect(decideWebhookStep({ tries: 1, deadlineAt: DEADLINE }, answer(410), NOW, policy).penalty.isGone).toBe(true);
  });

  it('never plans an attempt past the deadline, nor an eleventh pause', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: -HOUR_MS, max: 48 * HOUR_MS }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.option(fc.nat(200_000)),
        (tries, leftMs, chance, retryAfter) => {
          const deadlineAt = after(leftMs);
          const said = retryAfter === null ? answer(500) : answer(429, String(retryAfter));
          const step = decideWebhookStep({ tries, deadlineAt }, said, NOW, { timeScale: 1, random: () => chance });
          if (step.state === 'failed') return step.wakeAt === null;
          return (
            tries <= 10 && step.wakeAt !== null && step.wakeAt > NOW && Number(step.wakeAt) <= Number(deadlineAt) + 1
          );
        },
      ),
    );
  });
});
