import type { EmbeddedPostgres } from '../embedded/postgres';
import type { EmbeddedRedis } from '../embedded/redis';

/** The servers that one test run shares, and the folder that goes with them. */
interface ServicesOfRun {
  postgres: EmbeddedPostgres;
  redis: EmbeddedRedis;
  folder: string;
}

const KEY = Symbol.for('postrider.test-services');
const store = globalThis as { [KEY]?: ServicesOfRun };

/** Jest loads set-up and tear-down as separate modules, so they share values through the process. */
export function keepForTearDown(services: ServicesOfRun): void {
  store[KEY] = services;
}

/** The servers, when this run has started them already. */
export function servicesOfThisRun(): ServicesOfRun | undefined {
  return store[KEY];
}

/** Returns the servers, once. */
export function takeServicesOfRun(): ServicesOfRun | undefined {
  const services = store[KEY];
  store[KEY] = undefined;
  return services;
}
