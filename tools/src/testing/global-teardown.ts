import { rm } from 'node:fs/promises';
import { takeServicesOfRun } from './services-of-run';

/** Stops what the set-up started and removes its data. */
export default async function globalTeardown(): Promise<void> {
  const services = takeServicesOfRun();
  if (!services) return;
  await services.redis.stop();
  await services.postgres.stop();
  await rm(services.folder, { recursive: true, force: true });
}
