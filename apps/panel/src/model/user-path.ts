/**
 * The user that an address of the panel names (`/panel/apps/shop/users/a%2Fb`), decoded exactly once: an id may hold slashes,
 * percent signs and anything else. Null: it names none.
 *
 * @param pathname as the browser has it, still encoded
 */
export function userOfPath(pathname: string): string | null {
  const [, encoded] = /^\/panel\/apps\/[^/]+\/users\/([^/]+)/.exec(pathname) ?? [];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
