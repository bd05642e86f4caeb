import { validateSync } from 'class-validator';
import type { JsonObject, JsonValue } from '@postrider/domain';
import { RegistrationRequest } from '../devices/registration.request';
import { isRight, makeRequest } from './class-plan';
import { readRequest } from './read-request';

const RUNS = 1_500;

/** For each field of a registration, and for an unknown one, some right and some wrong values. */
const VALUES: Record<string, readonly JsonValue[]> = {
  appId: ['shop', '', 7],
  userId: ['ada', 'Zoe\u0308', '*', '', 'x'.repeat(256), 3],
  userHash: ['ab', 'x'.repeat(1_025)],
  deviceType: ['Android', 'ios', 'web', 'x'.repeat(65), {}],
  deviceToken: ['token', 'has blanks', 'disabled', '', 'x'.repeat(4_097), { endpoint: 'https://push.example' }, 5],
  tokenStatus: ['ALLOWED', 'x'.repeat(65), []],
  pushType: ['fcm', 'apns', 'webpush', 'pigeon'],
  osVersion: ['14', 14, 'x'.repeat(256), true],
  clientVersion: ['4.2.0', 4.2, {}],
  appVersion: ['4.2.0', 4, [], 'x'.repeat(256)],
  launchCount: [0, '7', -1, 1.5, 'many'],
  launchTime: [1_777_626_000_000, '2026-05-01T09:00:00Z', 'soon', 1e300],
  installDate: ['2026-05-01', '2026-02-30'],
  subscriptions: [[], ['default', 'public/sport'], ['no channel!'], [7], 'alerts', Array(1_001).fill('a')],
  timeZone: ['Europe/Amsterdam', 'x'.repeat(256), 'half \ud800'],
  locale: ['nl', 'nul \0'],
  location: [{ lat: 1, lng: 2 }, { lat: 91, lng: 2 }, { lat: 1 }, 'here', []],
  realtime: [true, 'yes', '1'],
  protected: [0, 2],
  installReferrer: ['utm', 'x'.repeat(4_097)],
  clickToken: ['c', 9],
  userAgent: ['Mozilla', 5],
  further: ['free', { nested: [1] }, 'x'.repeat(16_385)],
};

/** The same sequence for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the plan of a class', () => {
  it('finds right what class-validator finds right, whatever a registration holds, and both name the same problems', () => {
    const random = randomOf(20_261_123);
    const found = { right: 0, wrong: 0 };
    for (let run = 0; run < RUNS; run++) {
      const sent: JsonObject = run % 2 === 0 ? { userId: 'ada' } : {};
      for (const [name, values] of Object.entries(VALUES)) {
        if (random() < 0.08) sent[name] = values[Math.floor(random() * values.length)] ?? null;
      }
      const request = makeRequest(RegistrationRequest, sent);
      const problems = validateSync(request, { stopAtFirstError: true, forbidUnknownValues: false });
      const refused = problems.map(({ property }) => property);
      expect({ sent, isRight: isRight(request) }).toEqual({ sent, isRight: refused.length === 0 });
      const named = readRequest(RegistrationRequest, sent).problems;
      expect({ sent, isNamed: named.length > 0 }).toEqual({ sent, isNamed: refused.length > 0 });
      found[refused.length === 0 ? 'right' : 'wrong'] += 1;
    }
    expect(Math.min(found.right, found.wrong)).toBeGreaterThan(RUNS / 10);
  });
});
