/** What a token may do. `server` covers all the others. */
export const SCOPES = ['send', 'tags', 'promo', 'devices', 'read', 'server'] as const;

/** A right that a token carries. */
export type Scope = (typeof SCOPES)[number];

/** Whether a token with `granted` may make a call that needs `needed`. */
export function covers(granted: readonly Scope[], needed: Scope): boolean {
  return granted.includes('server') || granted.includes(needed);
}
