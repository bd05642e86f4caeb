import { type DeviceLine, groupByToken, type LinesByToken, type OwnedLines, ownLines } from './merge-lines';
import { joinNamed, linesOfOtherTokens, linesOfOtherUsers, type NamedByStretch } from './split-stretch';

const lineOf = (line: number, token: string, userId: string | null): DeviceLine =>
  ({ line, device: { userId, registration: { pushType: 'fcm', token }, at: null } }) as unknown as DeviceLine;

const before = (tokens: string[], users: string[]): NamedByStretch => ({
  tokens: new Set(tokens.map((token) => `fcm ${token}`)),
  users: new Set(users),
});

/**
 * Returns the numbers of the lines that may be written at the same time as the stretch before.
 * @param owners of the devices that have the tokens now
 */
function besides(lines: readonly DeviceLine[], named: NamedByStretch, owners: Record<string, string> = {}): number[] {
  const groups: LinesByToken = groupByToken(lines);
  const owned = new Map<string, OwnedLines>();
  for (const [token, group] of linesOfOtherTokens(groups, named)) {
    const userId = owners[group[0]?.device.registration.token ?? ''];
    const holder = userId === undefined ? undefined : { userId, isImported: true, registeredAt: null, writtenTo: null };
    owned.set(token, ownLines(group, holder));
  }
  const free = linesOfOtherUsers(groups, owned, named);
  return [...free.values()].flatMap((one) => one.lines.map(({ line }) => line)).sort((one, other) => one - other);
}

describe('the lines of a stretch that are written beside the stretch before', () => {
  it('are all, where the stretches share nothing', () => {
    const lines = [lineOf(1, 'a', 'ada'), lineOf(2, 'b', 'bob'), lineOf(3, 'c', null)];
    expect(besides(lines, before(['x'], ['eve']))).toEqual([1, 2, 3]);
  });

  it('are none of a token or a user that the stretch before names', () => {
    const lines = [lineOf(1, 'a', 'ada'), lineOf(2, 'b', 'bob'), lineOf(3, 'c', 'cleo')];
    expect(besides(lines, before(['a'], ['cleo']))).toEqual([2]);
  });

  it('are none of a user who has a line that waits, through however many devices', () => {
    const lines = [
      lineOf(1, 'a', 'ada'),
      lineOf(2, 'b', 'bob'),
      lineOf(3, 'b', 'ada'),
      lineOf(4, 'c', 'bob'),
      lineOf(5, 'd', 'dan'),
    ];
    expect(besides(lines, before(['a'], []))).toEqual([5]);
    expect(besides(lines, before([], ['bob']))).toEqual([5]);
  });

  it('are none of a device that belongs to a user of the stretch before, or of its new owner', () => {
    const lines = [lineOf(1, 'a', 'ada'), lineOf(2, 'b', 'bob'), lineOf(3, 'c', 'ada'), lineOf(4, 'd', 'dan')];
    const owners = { a: 'eve', b: 'cleo', d: 'ada' };
    expect(besides(lines, before(['x'], ['eve']), owners)).toEqual([2, 4]);
  });

  it("are none, where a guest's token is shared: nobody knows yet whose the device is then", () => {
    const lines = [lineOf(1, 'a', null), lineOf(2, 'b', 'bob')];
    expect(besides(lines, before(['a'], []))).toEqual([]);
  });
});

describe('what several stretches name', () => {
  it('is what any of them names', () => {
    const named = joinNamed([before(['a'], ['ada']), before(['b'], ['bob'])]);
    expect(['a', 'b', 'c'].map((token) => named.tokens.has(`fcm ${token}`))).toEqual([true, true, false]);
    expect([...named.users].sort()).toEqual(['ada', 'bob']);
  });
});
