import { useSearchParams } from 'wouter';

/**
 * The words of the address behind the `?`, and how they are changed. They are read as the browser has them: the router decodes
 * them once too often, which turns an id that holds `%20` into another one.
 */
export function useWords(): [URLSearchParams, (words: Record<string, string>) => void] {
  const [, setWords] = useSearchParams();
  return [new URLSearchParams(window.location.search), (words) => setWords(words, { replace: true })];
}

/** One of these words, '' where it is not there, and how it is changed; the others stay as they are. */
export function useWord(name: string): [string, (value: string) => void] {
  const [words, setWords] = useWords();
  const change = (value: string): void => {
    const changed = new URLSearchParams(window.location.search);
    if (value === '') changed.delete(name);
    else changed.set(name, value);
    setWords(Object.fromEntries(changed));
  };
  return [words.get(name) ?? '', change];
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
