import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@postrider/domain';
import type { WebhookAnswer } from '@postrider/vendors';
import { decideWebhookStep } from './decide-webhook-step';

const NOW = new Date('2026-03-01T12:00:00Z');
const DEADLINE = new Date(NOW.getTime() + 24 * HOUR_MS);
const policy = { timeScale: 1, random: () => 0 };
const answer = (status: number, retryAfter?: string): WebhookAnswer => ({ kind: 'answer', status, retryAfter });
const after = (ms: number): Date => new Date(NOW.getTime() + ms);

describe('what comes after an attempt to send an event', () => {
  it.each([200, 201, 202, 204, 299])('%i takes it', (status) => {
    expect(decideWebhookStep({ tries: 1, deadlineAt: DEADLINE }, answer(status), NOW, policy)).toEqual({
      state: 'delivered',
      statusCode: status,
      wakeAt: null,
      error: null,
      penalty: { heldUntil: null, isGone: false },
    });
  });

  it.each([
    ['a server error', answer(500), 5_000, null, /500/],
    ['a refusal', answer(404), 5_000, null, /404/],
    ['the first of the redirects', answer(300), 5_000, null, /redirects/],
    ['the last of the redirects', answer(399), 5_000, null, /redirects/],
    ['a bad request', answer(400), 5_000, null, /answered 400$/],
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

  it('is an attempt after longer and longer pauses, ten times', () => {
    const deadlineAt = after(1_000 * HOUR_MS);
    const steps = Array.from({ length: 11 }, (_, n) =>
      decideWebhookStep({ tries: n + 1, deadlineAt }, answer(500), NOW, policy),
    );
    const pauses = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];
    const hours = [1, 2, 4, 6, 9].map((number) => number * HOUR_MS);
    expect(steps.map(({ wakeAt }) => wakeAt)).toEqual([...[...pauses, ...hours].map(after), null]);
    expect(steps.map(({ state }) => state)).toEqual([...Array<string>(10).fill('waiting'), 'failed']);
  });

  it('scales its own pauses and their jitter of a quarter, but no Retry-After', () => {
    const wakeAt = (said: WebhookAnswer, timeScale: number, random: number): Date | null =>
      decideWebhookStep({ tries: 1, deadlineAt: DEADLINE }, said, NOW, { timeScale, random: () => random }).wakeAt;
    expect(wakeAt(answer(500), 1, 1)).toEqual(after(6_250));
    expect(wakeAt(answer(500), 0.1, 0)).toEqual(after(500));
    expect(wakeAt(answer(500), 0, 0)).toEqual(after(0));
    expect(wakeAt(answer(503, '90'), 0.1, 0)).toEqual(after(90_000));
  });

  it('is an attempt at the deadline, and none behind it', () => {
    const stateAt = (leftMs: number): string =>
      decideWebhookStep({ tries: 1, deadlineAt: after(leftMs) }, answer(500), NOW, policy).state;
    expect([stateAt(5_000), stateAt(4_999)]).toEqual(['waiting', 'failed']);
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
