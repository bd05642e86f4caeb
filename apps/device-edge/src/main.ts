import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { bootProcess, type Config, loadConfig } from '@postrider/platform';
import { AppModule } from './app.module';
import { Listeners } from './transport/listeners.service';
import { readTlsCertificate } from './transport/tls-certificate';

/** A certificate that cannot be used is told at once, and not when PostgreSQL has answered. */
function loadEdgeConfig(): Config {
  const config = loadConfig();
  readTlsCertificate(config);
  return config;
}

void bootProcess('device-edge', loadEdgeConfig, async ({ config, nestLogger }) => {
  const context = await NestFactory.createApplicationContext(AppModule.forConfig(config), {
    logger: nestLogger,
    abortOnError: false,
  });
  const ports = await context.get(Listeners, { strict: false }).listen();
  return { context, ports };
});
