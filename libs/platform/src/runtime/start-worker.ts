import { constants, getPriority, setPriority } from 'node:os';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions, CustomTransportStrategy } from '@nestjs/microservices';
import type { Registry } from 'prom-client';
import { type Config, loadConfig } from '../config/config';
import { HealthRegistry } from '../health/health-registry';
import type { Logger } from '../logging/logger';
import { LOGGER } from '../logging/logger';
import { METRICS } from '../metrics/metrics';
import { Shutdown } from '../shutdown/shutdown';
import { bootProcess } from './boot-process';
import { KeepErrorsFilter } from './keep-errors.filter';

/** The process's own services, taken from its module, from which a worker's transport is made. */
export interface WorkerServices {
  config: Config;
  logger: Logger;
  metrics: Registry;
  shutdown: Shutdown;
  /** Tells when the process may take jobs. */
  health: Pick<HealthRegistry, 'untilAbleToWork'>;
}

/** One worker. */
interface WorkerDefinition {
  /** Its name, on every log line and metric. */
  app: string;
  module: (config: Config) => Type | DynamicModule;
  /**
   * By how much others go first when processor cores are short (the operating system's niceness, 0 to 19); left out: 0.
   */
  niceness?: (config: Config) => number;
  /** The source of the worker's jobs. The app chooses it; this library knows none. */
  strategy: (services: WorkerServices) => CustomTransportStrategy;
}

/** Runs a Nest microservice as a process: see `bootProcess` for its start and end. */
export function startWorker(definition: WorkerDefinition): Promise<void> {
  return bootProcess(definition.app, loadConfig, async ({ config, logger, nestLogger }) => {
    lowerPriority(definition.niceness?.(config) ?? 0, logger);
    const context = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(definition.module(config), {
      logger: nestLogger,
      abortOnError: false,
      inject: [LOGGER, METRICS, Shutdown, HealthRegistry],
      useFactory: (logger: Logger, metrics: Registry, shutdown: Shutdown, health: HealthRegistry) => ({
        strategy: definition.strategy({ config, logger, metrics, shutdown, health }),
      }),
    });
    context.useGlobalFilters(new KeepErrorsFilter());
    await context.listen();
    return { context, ports: {} };
  });
}

/**
 * Raises the niceness of this process. Threads that begin later have it too. A system that does not allow it is no reason
 * not to work.
 */
function lowerPriority(by: number, logger: Logger): void {
  if (by === 0) return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + by));
  } catch (error) {
    logger.warn({ err: error }, 'process.priority-not-lowered');
  }
}
