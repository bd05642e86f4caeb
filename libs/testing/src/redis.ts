import { randomUUID } from 'node:crypto';

/** The Redis that the test run started (`POSTRIDER_TEST_REDIS`). */
export function testRedisUrl(): string {
  const url = process.env.POSTRIDER_TEST_REDIS;
  if (!url) throw new Error('No test Redis: run through `npm test` or `npx jest` (see jest.global-setup.ts)');
  return url;
}

/** A key prefix of one test's own, so that tests share the server without seeing each other. */
export function uniquePrefix(): string {
  return `test-${randomUUID()}`;
}
