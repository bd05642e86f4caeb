import { PAGE_POLICY } from './tracker-page';

/** Headers of every answer to a click: names and values in turn. */
export const ANSWER_HEADERS: readonly string[] = [
  ...['x-content-type-options', 'nosniff'],
  ...['cache-control', 'no-store'],
  ...['referrer-policy', 'no-referrer'],
  ...['x-robots-tag', 'noindex'],
];

/** And of every page. */
export const PAGE_HEADERS: readonly string[] = [
  ...['content-security-policy', PAGE_POLICY],
  ...['content-type', 'text/html; charset=utf-8'],
];
