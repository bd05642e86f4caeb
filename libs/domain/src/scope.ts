/** The rights of a token. `server` covers all the others. */
export const SCOPES = ['send', 'tags', 'promo', 'devices', 'read', 'server'] as const;

/** A right of a token. */
export type Scope = (typeof SCOPES)[number];

/**
 * Whose tags a `devices` token may edit: those of its own device's user, whom the request identifies, those of any
 * user, or nobody's.
 */
export const CLIENT_TAGS = ['own', 'any', 'none'] as const;

/** One of `CLIENT_TAGS`. */
export type ClientTags = (typeof CLIENT_TAGS)[number];

/** True if a token with `granted` may make a call that needs `needed`. */
export function covers(granted: readonly Scope[], needed: Scope): boolean {
  return granted.includes('server') || granted.includes(needed);
}
