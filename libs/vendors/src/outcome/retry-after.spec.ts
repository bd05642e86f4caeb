import { retryAfterMs } from './retry-after';

const NOW = new Date('2026-01-01T00:00:00Z');

it.each([
  [undefined, null],
  ['', null],
  ['soon', null],
  ['-5', null],
  ['0', 0],
  [' 120 ', 120_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
  ['Thu Jan  1 00:00:30 2026', 30_000],
  ['21600', 21_600_000],
  ['21601', 21_600_000],
  ['999999999', 21_600_000],
  [['120', '240'], 120_000],
  ['Sat, 13 Sep 275760 00:00:00 GMT', 21_600_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
])('Retry-After %j is %j ms', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});
