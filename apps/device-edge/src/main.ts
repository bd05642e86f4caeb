import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { bootProcess, loadConfig } from '@postrider/platform';
import { AppModule } from './app.module';
import { Listeners } from './transport/listeners.service';

void bootProcess('device-edge', loadConfig, async ({ config, nestLogger }) => {
  const context = await NestFactory.createApplicationContext(AppModule.forConfig(config), {
    logger: nestLogger,
    abortOnError: false,
  });
  const ports = await context.get(Listeners, { strict: false }).listen();
  return { context, ports };
});
