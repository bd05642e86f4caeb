import { useSearchParams } from 'wouter';

/**
 * The query parameters of the page's address, and how all of them are replaced. They are read as the browser has them: the
 * router decodes them once too often, which turns an id that holds `%20` into another one.
 */
export function useQueryParams(): [URLSearchParams, (params: Record<string, string>) => void] {
  const [, setParams] = useSearchParams();
  return [new URLSearchParams(window.location.search), (params) => setParams(params, { replace: true })];
}

/** One query parameter, '' if the address has none, and how it is changed; the others stay as they are. */
export function useQueryParam(name: string): [string, (value: string) => void] {
  const [params, setParams] = useQueryParams();
  const change = (value: string): void => {
    const changed = new URLSearchParams(window.location.search);
    if (value === '') changed.delete(name);
    else changed.set(name, value);
    setParams(Object.fromEntries(changed));
  };
  return [params.get(name) ?? '', change];
}

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
