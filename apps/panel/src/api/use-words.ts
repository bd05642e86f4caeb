import { useSearchParams } from 'wouter';

/**
 * The words of the address behind the `?`, and how they are changed. They are read as the browser has them: the router decodes
 * them once too often, which turns an id that holds `%20` into another one.
 */
export function useWords(): [URLSearchParams, (words: Record<string, string>) => void] {
  const [, setWords] = useSearchParams();
  return [new URLSearchParams(window.location.search), (words) => setWords(words, { replace: true })];
}
