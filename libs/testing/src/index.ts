export { createThrowAwayDatabase } from './database';
export type { ThrowAwayDatabase } from './database';
export { testRedisUrl, uniquePrefix } from './redis';
