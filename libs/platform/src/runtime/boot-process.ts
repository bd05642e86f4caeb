import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { ConfigError } from '../config/config-error';
import type { Config } from '../config/config';
import { HealthRegistry } from '../health/health-registry';
import { type HealthServer, startHealthServer } from '../health/health-server';
import { createLogger, type Logger } from '../logging/logger';
import { NestLogger } from '../logging/nest-logger';
import { METRICS } from '../metrics/metrics';
import { Shutdown } from '../shutdown/shutdown';
import { stopOnSignal } from './stop-on-signal';
import { sayTakenPort } from './taken-port';

/**
 * A server with several addresses is given this long to answer at one before the next is tried. Node.js gives it 250 ms: from
 * far away, or on a busy machine, the right address would be given up for one that leads nowhere.
 */
const ADDRESS_ATTEMPT_MS = 1_000;

/** The values that an app starts with. */
interface Boot<Settings extends Config = Config> {
  config: Settings;
  logger: Logger;
  /** The same logger for Nest: `NestFactory.create(module, { logger: boot.nestLogger, abortOnError: false })`. */
  nestLogger: NestLogger;
}

/** The app that `bootProcess` has started. */
interface StartedApp {
  /** The Nest application, which is closed when the process stops. */
  context: INestApplicationContext;
  /** The ports it listens on, by what answers there: they stand in `process.started`. */
  ports: Record<string, number>;
}

/**
 * Runs a process from its first line to its last: reads the configuration, starts the app, serves health and metrics on
 * `HOST:HEALTH_PORT`, logs `process.started` with the ports, and on SIGTERM or SIGINT begins the `Shutdown` (readiness false at once), closes the app within 20 s and exits 0.
 * A second signal exits at once. A bad configuration or a taken port is one line on stderr and exit 1; whatever else fails at start, and
 * whatever nobody caught later, is one fatal line and exit 1.
 *
 * ```ts
 * void bootProcess('gateway', loadGatewayConfig, async ({ config, nestLogger }) => {
 *   const app = await NestFactory.create(AppModule.forConfig(config), adapter, { logger: nestLogger, abortOnError: false });
 *   await app.listen(config.port, config.host);
 *   return { context: app, ports: { http: portOf(app) } };
 * });
 * ```
 *
 * @param load reads what the process is set to
 */
export async function bootProcess<Settings extends Config>(
  app: string,
  load: () => Settings,
  start: (boot: Boot<Settings>) => Promise<StartedApp>,
): Promise<void> {
  const config = readConfig(load);
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_ATTEMPT_MS);
  const logger = createLogger(app, config);
  exitOnUncaught(logger);
  try {
    const { context, ports } = await start({ config, logger, nestLogger: new NestLogger(logger) });
    const health = await serveHealth(context, config);
    stopOnSignal({ context, health, logger, shutdown: context.get(Shutdown, { strict: false }) });
    logger.info(
      { ports: { ...ports, health: health.port }, instance: config.instanceId, node: process.version },
      'process.started',
    );
  } catch (error) {
    const complaint = error instanceof ConfigError ? error.message : sayTakenPort(error, config);
    if (complaint !== null) refuse(complaint);
    logger.fatal({ err: error }, 'process.failed');
    process.exit(1);
  }
}

function serveHealth(context: INestApplicationContext, { host, healthPort }: Config): Promise<HealthServer> {
  return startHealthServer({
    host,
    port: healthPort,
    health: context.get(HealthRegistry, { strict: false }),
    metrics: context.get<Registry>(METRICS, { strict: false }),
  });
}

function readConfig<Settings extends Config>(load: () => Settings): Settings {
  try {
    return load();
  } catch (error) {
    if (error instanceof ConfigError) refuse(error.message);
    throw error;
  }
}

/** Writes only the line that names the variable: the person who set it must read that line. */
function refuse(complaint: string): never {
  process.stderr.write(`${complaint}\n`);
  process.exit(1);
}

/**
 * Ends the process after an unforeseen error, because its state is unknown then. The leases of the ledger make that
 * safe.
 */
function exitOnUncaught(logger: Logger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error, kind: event }, 'process.died');
      process.exit(1);
    });
  }
}
