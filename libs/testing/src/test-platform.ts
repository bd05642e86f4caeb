import { type DynamicModule, Global, Module } from '@nestjs/common';
import { systemClock } from '@postrider/domain';
import { DATABASE, type Database, PhoneKeys, REPOSITORIES } from '@postrider/persistence';
import {
  CLOCK,
  CONFIG,
  type Config,
  createMetrics,
  HealthRegistry,
  LOGGER,
  METRICS,
  SecretBox,
  Shutdown,
  Traces,
} from '@postrider/platform';

/** The test's own parts of the platform. `service` is the name of the application, in its metrics. */
interface GivenPlatform {
  service: string;
  database: Database;
  config: Config;
  logger: object;
}

/** The platform and the database as a test wants them. */
@Global()
@Module({})
export class TestPlatform {
  /** The module for an application that a test starts in its own process, with the clock of the system. */
  static with({ service, database, config, logger }: GivenPlatform): DynamicModule {
    const providers = [
      { provide: DATABASE, useValue: database },
      { provide: CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: METRICS, useFactory: () => createMetrics(service) },
      { provide: CLOCK, useValue: systemClock },
      { provide: Traces, useValue: new Traces() },
      { provide: SecretBox, useFactory: () => new SecretBox(config.secretKey, config.secretKeyPrevious) },
      Shutdown,
      HealthRegistry,
      PhoneKeys,
      ...REPOSITORIES,
    ];
    return { module: TestPlatform, providers, exports: providers };
  }
}
