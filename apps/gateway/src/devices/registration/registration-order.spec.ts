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
    ['whose sign-in is older than the one that is kept', sent({ registerTs: 1_999 }), kept(), true],
    ['whose sign-in is newer', sent({ registerTs: 2_001 }), kept(), false],
    ['of the same user', sent({ registerTs: 1_000 }, 'bob'), kept(), false],
    [
      'that is older by a clock which was set back, and comes a minute later',
      sent({ registerTs: 1 }),
      kept({ updatedAt: before(60_001) }),
      false,
    ],
    ['of a guest whose page signed somebody in', sent({ isGuest: true }), kept(), true],
    ['of a guest who comes after another launch', sent({ isGuest: true }, 'guest', NOW), kept(), false],
    ['of a guest who comes after a sign-out', sent({ isGuest: true, registerTs: 2_001 }), kept(), false],
    ['of a user after their guest', sent({ isLoggedIn: true }), kept({ registration: { isGuest: true } }), false],
    ['that says nothing of its time', sent({}), kept(), false],
    [
      'of whom a page remembers from its last visit, after the user whom it signed in since it was opened',
      sent({ isGuest: false }),
      kept({ registration: { isGuest: false, registerTs: LAUNCH.getTime() + 52 } }),
      true,
    ],
  ])('%s: is overtaken or not', (_, one, other, isLate) => {
    expect(isOvertaken(one, other, NOW)).toBe(isLate);
  });

  it.each([
    ['a guest and then a user', sent({ isLoggedIn: true }), kept({ registration: { isGuest: true } }), true],
    ['a user and then their guest', sent({ isGuest: true }), kept(), true],
    ['one user twice', sent({ isLoggedIn: true }, 'bob'), kept(), true],
    ['two guests', sent({ isGuest: true }), kept({ registration: { isGuest: true } }), false],
    ['two users', sent({ isLoggedIn: true }), kept(), false],
    [
      'a user long after the guest',
      sent({ isLoggedIn: true }),
      kept({ registration: { isGuest: true }, createdAt: before(60_001) }),
      false,
    ],
  ])('of a page, %s: is of the same page or not', (_, one, other, isOne) => {
    expect(isOnePage(one, other, NOW)).toBe(isOne);
  });
});
