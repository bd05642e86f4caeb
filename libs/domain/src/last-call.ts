/** How long "now" lasts for a message that is sent now or never (`ttl` 0; decisions, `ttl`). */
export const NOW_OR_NEVER_MS = 10_000;

/**
 * The moment from which no vendor may be asked to deliver a message any more: its expiry; for a message that expires as it
 * is accepted, a little later, or it could reach nobody. All in milliseconds since 1970.
 */
export function lastCallAt(acceptedAt: number, expiresAt: number): number {
  return expiresAt > acceptedAt ? expiresAt : acceptedAt + NOW_OR_NEVER_MS;
}
