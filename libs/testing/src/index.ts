export { createShop } from './create-shop';
export { addDevice, configureVendor } from './devices';
export { RetainedMemory } from './retained-memory';
export {
  createDatabaseInEncoding,
  createDatabaseOfAllDays,
  createEmptyDatabase,
  createThrowAwayDatabase,
  FEW_DAYS_TEMPLATE,
  MIGRATED_TEMPLATE,
} from './database';
export type { RenewableDatabase, ThrowAwayDatabase } from './database';
export { emptyAllTables, emptyTables } from './empty-tables';
export { startConnectProxy } from './connect-proxy';
export type { ConnectProxy } from './connect-proxy';
export { openTcpGate } from './tcp-gate';
export type { TcpGate } from './tcp-gate';
export { clockShowing, clockWithinDay, fakeTimeouts, TestClock } from './test-clock';
export { TestPlatform } from './test-platform';
export { type Stage, useStage } from './stage';
export { until, untilTrue } from './until';
export { countWaiting, locksBefore, whileHolding } from './while-holding';
export { testRedisUrl, uniquePrefix } from './redis';
export { tracesIn } from './traces-in-database';
export { tracesInRedis } from './traces-in-redis';
export { throwAwayCertificate } from './certificate';
export type { ThrowAwayCertificate } from './certificate';
export { startHttp2Server } from './http2-server';
export type { SeenRequest, TestHttp2Server } from './http2-server';
export { RawHttp2Client, StreamBroken } from './raw-http2-client';
export type { RawAnswer } from './raw-http2-client';
export { runSource } from './run-source';
export { signJwt } from './sign-jwt';
export { FAULTY_SANDBOX_FILE } from './template-sandbox/faulty-sandbox';
