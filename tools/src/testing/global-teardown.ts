import { rm } from 'node:fs/promises';
import { takeServicesOfRun } from './services-of-run';

/** Stops the services of the set-up and removes their data. */
export default async function globalTeardown(): Promise<void> {
  const services = takeServicesOfRun();
  if (!services) return;
  await services.redis.stop();
  await services.postgres.stop();
  await rm(services.folder, { recursive: true, force: true });
}
