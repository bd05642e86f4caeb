import type { INestApplicationContext } from '@nestjs/common';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config';
import { HealthRegistry } from '../health/health-registry';
import { type HealthServer, startHealthServer } from '../health/health-server';
import { METRICS } from '../metrics/metrics';

/**
 * Serves a process's health and metrics on `HOST:HEALTH_PORT`: close it after everything else, so that a process that is
 * stopping answers 503 to `/health/ready` up to its end.
 *
 * @throws when the port is taken
 */
export function serveHealth(
  context: INestApplicationContext,
  { host, healthPort }: Pick<Config, 'host' | 'healthPort'>,
): Promise<HealthServer> {
  return startHealthServer({
    host,
    port: healthPort,
    health: context.get(HealthRegistry, { strict: false }),
    metrics: context.get<Registry>(METRICS, { strict: false }),
  });
}
