import type { DeviceLine, LinesByToken, OwnedLines } from './merge-lines';

/** What a stretch names: vendor tokens, and the users whom its lines are of. */
export interface NamedByStretch {
  tokens: { has(token: string): boolean };
  users: ReadonlySet<string>;
}

/**
 * The lines of a stretch whose tokens the stretch before it does not name. Where a line without a user is among the others, none is:
 * whose that line is turns out when the stretch before is written, and the order of this user's lines is not known until then.
 */
export function linesOfOtherTokens(groups: LinesByToken, before: NamedByStretch): LinesByToken {
  const others = new Map<string, readonly DeviceLine[]>();
  for (const [token, lines] of groups) {
    if (!before.tokens.has(token)) others.set(token, lines);
    else if (lines.some(({ device }) => device.userId === null)) return new Map();
  }
  return others;
}

/**
 * Of `owned`, the lines that may be written at the same time as the stretch before, because they share no user with it; and none with
 * the lines of their own stretch that have to wait, since lines of a user are written in their order.
 *
 * @param groups all lines of the stretch
 * @param owned those of tokens that the stretch before does not name
 */
export function linesOfOtherUsers(
  groups: LinesByToken,
  owned: ReadonlyMap<string, OwnedLines>,
  before: NamedByStretch,
): Map<string, OwnedLines> {
  const waiting = new Set(before.users);
  for (const [token, lines] of groups) {
    if (owned.has(token)) continue;
    for (const { device } of lines) if (device.userId !== null) waiting.add(device.userId);
  }
  const others = new Map(owned);
  let size: number;
  do {
    size = others.size;
    for (const [token, { userIds }] of others) {
      if (!userIds.some((userId) => waiting.has(userId))) continue;
      others.delete(token);
      for (const userId of userIds) waiting.add(userId);
    }
  } while (others.size < size);
  return others;
}
