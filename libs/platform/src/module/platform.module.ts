import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import type { Registry } from 'prom-client';
import { LedgerClock } from '../clock/ledger-clock';
import { CONFIG, type Config } from '../config/config';
import { HealthRegistry } from '../health/health-registry';
import { createLogger, type Logger, LOGGER } from '../logging/logger';
import { createMetrics, METRICS } from '../metrics/metrics';
import { SecretBox } from '../security/secret-box';
import { Shutdown } from '../shutdown/shutdown';
import { openTraces } from '../tracing/open-traces';
import { Traces } from '../tracing/traces';

/** Nest injection token of the `Clock`. */
export const CLOCK = Symbol('Clock');

/** Gives every other module its settings, logger, metrics, traces, clock, secret box, shutdown and health. */
@Global()
@Module({})
export class PlatformModule {
  /**
   * @param app the process's name, on every log line and metric
   * @param clock another clock than PostgreSQL's, for tests
   */
  static forApp(app: string, config: Config, clock: Clock = new LedgerClock()): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useFactory: () => createLogger(app, config) },
        { provide: METRICS, useFactory: () => createMetrics(app) },
        {
          provide: Traces,
          inject: [LOGGER, METRICS],
          useFactory: (logger: Logger, metrics: Registry) => openTraces(app, config, logger, metrics),
        },
        { provide: CLOCK, useValue: clock },
        Shutdown,
        HealthRegistry,
        { provide: SecretBox, useFactory: () => new SecretBox(config.secretKey, config.secretKeyPrevious) },
      ],
      exports: [CONFIG, LOGGER, METRICS, Traces, CLOCK, Shutdown, HealthRegistry, SecretBox],
    };
  }
}
