import { type DynamicModule, Global, Module } from '@nestjs/common';
import { systemClock } from '@postrider/domain';
import { CONFIG, type Config } from '../config/config';
import { createLogger, LOGGER } from '../logging/logger';
import { createMetrics, METRICS } from '../metrics/metrics';
import { SecretBox } from '../security/secret-box';
import { CLOCK } from './clock-token';

/** Gives every other module its settings, logger, metrics, clock and secret box. */
@Global()
@Module({})
export class PlatformModule {
  /** @param app the process's name, on every log line and metric */
  static forApp(app: string, config: Config): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useFactory: () => createLogger(app, config) },
        { provide: METRICS, useFactory: () => createMetrics(app) },
        { provide: CLOCK, useValue: systemClock },
        { provide: SecretBox, useFactory: () => new SecretBox(config.secretKey) },
      ],
      exports: [CONFIG, LOGGER, METRICS, CLOCK, SecretBox],
    };
  }
}
