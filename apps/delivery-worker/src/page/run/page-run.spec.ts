import { type DeviceId, type SendOutcome, systemClock } from '@postrider/domain';
import type { ClaimedPage, PageDevice } from '@postrider/persistence';
import fc from 'fast-check';
import { Route } from '../../route/route';
import { Breaker } from '../../route/breaker';
import { composeSettlement } from '../complete/complete-page.service';
import { PageRun, type StopCause } from './page-run';

const NOW = Date.parse('2026-11-21T12:00:00Z');

function device(n: number, isReachable: boolean): PageDevice {
  return {
    id: String(n),
    installationId: `installation-${n}`,
    userId: 'u',
    deviceType: 'android',
    locale: null,
    token: isReachable ? `t${n}` : null,
    tokenRegisteredAtMicros: null,
    hasChangedHands: false,
  };
}

function start(devices: PageDevice[], changes: Partial<ClaimedPage> = {}): PageRun {
  const page: ClaimedPage = {
    vendor: 'fcm',
    lane: 'campaign',
    fence: 1,
    losses: 0,
    attempt: 1,
    isUnanswered: false,
    firstAttemptAt: new Date(NOW),
    devices,
    kind: 'query',
    content: { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false },
    status: 'accepted',
    channel: 'public/default',
    acceptedAt: new Date(NOW),
    expiresAt: new Date(NOW + 3_600_000),
    applicationName: 'Shop',
    defaultAlertText: 'Hello',
    promoExhausted: 'send_without',
    frequencyCaps: [],
    contactsSince: null,
    ...changes,
  };
  const route = new Route('shop', 'fcm', new Breaker(systemClock, 1), {
    held: () => undefined,
    resumed: () => undefined,
    putBackLate: () => undefined,
  });
  const key = { appId: 'shop', messageId: 'm', pageId: 'p', fence: 1 };
  const policy = { timeScale: 1, random: () => 0 };
  const run = new PageRun(key, page, route, policy);
  run.begin(NOW);
  return run;
}

const said = { code: 'CODE', reason: 'so' };
const OUTCOMES: SendOutcome[] = [
  { kind: 'accepted', vendorMessageId: 'v' },
  { kind: 'token_invalid', ...said },
  { kind: 'request_invalid', ...said },
  { kind: 'throttled', ...said, scope: 'route', retryAfterMs: 2_000 },
  { kind: 'throttled', ...said, scope: 'token', retryAfterMs: 7_200_000 },
  { kind: 'retryable', ...said, retryAfterMs: null },
  { kind: 'ambiguous', ...said },
  { kind: 'config', ...said },
];
const CAUSES: StopCause[] = ['cancelled', 'expired', 'held', 'stopping'];

/** Every place a device can end up in. */
function settledDevices(run: PageRun): DeviceId[] {
  const { recorded, retries, remainder } = composeSettlement(run, new Date(NOW), () => 'id');
  return [...recorded.deviceIds, ...retries.flatMap(({ deviceIds }) => deviceIds), ...(remainder?.deviceIds ?? [])];
}

describe('a page run', () => {
  it('settles every device exactly once, whatever the vendor answers and whenever it is stopped', async () => {
    const plan = fc.record({
      reachable: fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
      steps: fc.array(fc.record({ takes: fc.boolean(), which: fc.nat(), outcome: fc.constantFrom(...OUTCOMES) })),
      cause: fc.option(fc.constantFrom(...CAUSES)),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ reachable, steps, cause }) => {
        const run = start(reachable.map((isReachable, n) => device(n + 1, isReachable)));
        const flying: number[] = [];
        for (const { takes, which, outcome } of steps) {
          const taken = takes ? run.takeNext(NOW) : -1;
          if (taken >= 0) flying.push(taken);
          const [landed] = takes ? [] : flying.splice(which % Math.max(1, flying.length), 1);
          if (landed !== undefined) run.answer(landed, outcome, NOW);
        }
        run.abandon(cause ?? 'stopping');
        for (const late of flying) run.answer(late, { kind: 'accepted', vendorMessageId: 'late' }, NOW);
        await run.ended;
        expect(settledDevices(run).sort()).toEqual(reachable.map((_, n) => String(n + 1)).sort());
      }),
    );
  });

  it('ends by itself when every device was answered', async () => {
    const run = start([device(1, true), device(2, false)]);
    const index = run.takeNext(NOW);
    expect(run.hasNext).toBe(false);
    run.answer(index, { kind: 'accepted', vendorMessageId: 'v' }, NOW);
    await run.ended;
    expect(run.counts).toEqual({ sent: 1, skipped: 1 });
  });

  it('counts devices whose call did not come back in time as not sent', () => {
    const run = start([device(1, true), device(2, true)]);
    run.takeNext(NOW);
    run.stop('stopping');
    run.abandon('stopping');
    expect(run.unfinished()).toEqual(['1', '2']);
  });

  it.each([
    ['cancelled', { status: 'cancelled' }],
    ['expired', { expiresAt: new Date(NOW), acceptedAt: new Date(NOW - 1) }],
  ] as const)('sends to nobody if its message is %s when it begins', async (cause, changes) => {
    const run = start([device(1, true), device(2, false)], changes);
    await run.ended;
    expect([run.stopCause, run.hasNext, run.takeNext(NOW)]).toEqual([cause, false, -1]);
    expect(run.unfinished()).toEqual(['1', '2']);
  });

  it('sends to no further device once its message has expired', () => {
    const run = start([device(1, true), device(2, true)]);
    expect(run.takeNext(NOW + 3_599_999)).toBe(0);
    expect(run.takeNext(NOW + 3_600_000)).toBe(-1);
    expect([run.stopCause, run.isOver]).toEqual(['expired', false]);
  });

  it('takes one answer for each device, and counts it', () => {
    const run = start([device(1, true), device(2, true), device(3, true)]);
    const [first, second, third] = [run.takeNext(NOW), run.takeNext(NOW), run.takeNext(NOW)];
    const refused: SendOutcome = { kind: 'request_invalid', ...said };
    expect(run.answer(first, refused, NOW)).toBe(true);
    expect(run.answer(first, { kind: 'accepted', vendorMessageId: 'v' }, NOW)).toBe(false);
    expect(run.answer(second, refused, NOW)).toBe(true);
    expect(run.answer(third, { kind: 'retryable', ...said, retryAfterMs: null }, NOW)).toBe(false);
    expect([...run.answers]).toEqual([
      ['request_invalid CODE', 2],
      ['retryable CODE', 1],
    ]);
    expect(run.counts).toEqual({ failed: 2, retry: 1 });
    expect([run.takeUnrecorded(), run.takeUnrecorded()]).toEqual([2, 0]);
    expect(run.takeOutcomes()).toMatchObject({ deviceIds: ['1', '2'], states: ['failed', 'failed'] });
  });

  it('sends again to every device whose time was over, whichever was taken back first', () => {
    for (const takenBack of [
      [0, 1],
      [1, 0],
    ]) {
      const run = start([device(0, true), device(1, true)]);
      expect([run.takeNext(NOW), run.takeNext(NOW)]).toEqual([0, 1]);
      for (const index of takenBack) run.takeBack(index);
      expect([run.takeNext(NOW), run.takeNext(NOW), run.takeNext(NOW)]).toEqual([0, 1, -1]);
    }
  });

  it('has nothing to record of a device that waits for better credentials, and leaves it to the next page', () => {
    const run = start([device(0, true)]);
    expect(run.answer(run.takeNext(NOW), { kind: 'config', ...said }, NOW)).toBe(false);
    expect(run.takeUnrecorded()).toBe(0);
    expect([run.unwritten.size, run.counts, run.unfinished()]).toEqual([0, { hold: 1 }, ['0']]);
  });

  it('records a device that cannot be sent to, and ends with it', async () => {
    const run = start([device(1, true)]);
    run.fail(run.takeNext(NOW), 'payload_too_large', 'It has 5,000 bytes', NOW);
    await run.ended;
    expect(run.takeOutcomes()).toMatchObject({ states: ['failed'], errorCodes: ['payload_too_large'] });
  });

  it('fails every device that is left when it is given up', async () => {
    const run = start([device(1, true), device(2, false), device(3, true)]);
    run.park(NOW);
    await run.ended;
    const { deviceIds, errorCodes } = run.takeOutcomes();
    expect(deviceIds.map((id, place) => [id, errorCodes[place]])).toEqual([
      ['2', 'token_removed'],
      ['1', 'worker_lost'],
      ['3', 'worker_lost'],
    ]);
  });

  it('keeps the first cause for which it stops, except that a lost page stays lost', () => {
    const run = start([device(1, true)]);
    run.stop('held');
    run.stop('cancelled');
    expect(run.stopCause).toBe('held');
    run.stop('lost');
    run.stop('stopping');
    expect(run.stopCause).toBe('lost');
  });

  it('pauses while outcomes cannot be written, and has them again to write', () => {
    const run = start([device(1, true), device(2, true)]);
    run.answer(run.takeNext(NOW), { kind: 'accepted', vendorMessageId: 'v' }, NOW);
    run.flushFailed(run.takeOutcomes(), run.takeUnrecorded());
    expect([run.isPaused, run.unwritten.size, run.takeUnrecorded()]).toEqual([true, 1, 1]);
    run.takeOutcomes();
    run.flushed();
    expect([run.isPaused, run.unwritten.size]).toEqual([false, 0]);
  });
});
