import { isOnePage, isOvertaken, type Kept } from './registration-order';

const NOW = new Date('2026-03-01T12:00:00Z');
const before = (ms: number): Date => new Date(NOW.getTime() - ms);
const LAUNCH = before(5_000);

const kept = (changes: Partial<Kept> = {}): Kept => ({
  userId: 'bob',
  launchTime: LAUNCH,
  registration: { isGuest: false, registerTs: 2_000 },
  createdAt: before(4_000),
  updatedAt: before(1_000),
  ...changes,
});
const sent = (registration: Kept['registration'], userId = 'ada', launchTime: Date | null = LAUNCH) => ({
  userId,
  launchTime,
  registration,
});

describe('a registration', () => {
  it.each([
    ['whose sign-in is older than the one that is kept', 'is overtaken', sent({ registerTs: 1_999 }), kept()],
    ['whose sign-in is newer', 'is not overtaken', sent({ registerTs: 2_001 }), kept()],
    ['of the same user', 'is not overtaken', sent({ registerTs: 1_000 }, 'bob'), kept()],
    [
      'that is older by a clock which was set back, and comes a minute later',
      'is not overtaken',
      sent({ registerTs: 1 }),
      kept({ updatedAt: before(60_001) }),
    ],
    ['of a guest whose page signed somebody in', 'is overtaken', sent({ isGuest: true }), kept()],
    ['of a guest who comes after another launch', 'is not overtaken', sent({ isGuest: true }, 'guest', NOW), kept()],
    ['of a guest who comes after a sign-out', 'is not overtaken', sent({ isGuest: true, registerTs: 2_001 }), kept()],
    [
      'of a user after their guest',
      'is not overtaken',
      sent({ isLoggedIn: true }),
      kept({ registration: { isGuest: true } }),
    ],
    ['that says nothing of its time', 'is not overtaken', sent({}), kept()],
    [
      'of the user whom a page remembers from its last visit, after the one whom it signed in since it was opened',
      'is overtaken',
      sent({ isGuest: false }),
      kept({ registration: { isGuest: false, registerTs: LAUNCH.getTime() + 52 } }),
    ],
  ])('%s %s', (_, verdict, one, other) => {
    expect(isOvertaken(one, other, NOW)).toBe(verdict === 'is overtaken');
  });
});

describe('two registrations', () => {
  it.each([
    [
      'a guest and then a user',
      'are of one page',
      sent({ isLoggedIn: true }),
      kept({ registration: { isGuest: true } }),
    ],
    ['a user and then their guest', 'are of one page', sent({ isGuest: true }), kept()],
    ['one user twice', 'are of one page', sent({ isLoggedIn: true }, 'bob'), kept()],
    ['two guests', 'are not of one page', sent({ isGuest: true }), kept({ registration: { isGuest: true } })],
    ['two users', 'are not of one page', sent({ isLoggedIn: true }), kept()],
    [
      'a user long after the guest',
      'are not of one page',
      sent({ isLoggedIn: true }),
      kept({ registration: { isGuest: true }, createdAt: before(60_001) }),
    ],
  ])('of %s %s', (_, verdict, one, other) => {
    expect(isOnePage(one, other, NOW)).toBe(verdict === 'are of one page');
  });
});
