import type { DeviceLine, LinesByToken, OwnedLines } from './merge-lines';

/** The vendor tokens and the users of the lines of a stretch, or of some stretches. */
export interface NamedByStretch {
  tokens: { has(token: string): boolean };
  /** The former owners of devices too, where they are looked up. */
  users: ReadonlySet<string>;
}

/** Returns what any of these stretches names. */
export function joinNamed(stretches: readonly NamedByStretch[]): NamedByStretch {
  return {
    tokens: { has: (token) => stretches.some(({ tokens }) => tokens.has(token)) },
    users: new Set(stretches.flatMap(({ users }) => [...users])),
  };
}

/**
 * Returns the lines of a stretch whose tokens the stretches before it do not name. Returns none if one of the other
 * lines names no user: the user of that line is known only when the stretches before are written, and until then the order
 * of the lines of that user is not known.
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
 * Returns the lines of `owned` that may be written at the same time as the stretches before. They share no user with those
 * stretches, and none with the lines of their own stretch that have to wait, because the lines of a user are written in
 * order. Nor does one of their devices belong to a user of the stretches before: when a user gets other tags, the rows of
 * all devices of the user change, and two transactions would wait for each other's rows.
 * @param groups all lines of the stretch
 * @param owned the lines whose tokens the stretches before do not name
 */
export function linesOfOtherUsers(
  groups: LinesByToken,
  owned: ReadonlyMap<string, OwnedLines>,
  before: NamedByStretch,
): Map<string, OwnedLines> {
  const others = new Map(
    [...owned].filter(([, { holder }]) => holder === undefined || !before.users.has(holder.userId)),
  );
  const waiting = new Set([...before.users, ...usersOfWaiting(groups, others)]);
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

/** Returns the users whom the lines name that are not in `others`. */
function usersOfWaiting(groups: LinesByToken, others: ReadonlyMap<string, OwnedLines>): string[] {
  const waiting = [...groups].filter(([token]) => !others.has(token));
  return waiting.flatMap(([, lines]) => lines.flatMap(({ device }) => device.userId ?? []));
}
