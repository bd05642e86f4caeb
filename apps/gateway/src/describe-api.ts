import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { loadGatewayConfig } from '@postrider/platform';
import { AppModule } from './app.module';
import { buildDocument } from './documentation/build-document';

/**
 * Settings for a gateway that connects to nothing: the modules are inspected, and none of their classes is
 * instantiated.
 */
const NOWHERE = {
  DATABASE_URL: 'postgres://127.0.0.1/none',
  REDIS_URL: 'redis://127.0.0.1',
  ADMIN_TOKEN: 'nobody-signs-in-with-this-one',
  SECRET_KEY: 'nothing-is-sealed-under-this-one',
};

/** The API document of `/api/openapi.json`, without starting a gateway: no database, no Redis, no port. */
export async function describeApi(): Promise<OpenAPIObject> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forConfig(loadGatewayConfig(NOWHERE)),
    new FastifyAdapter(),
    { preview: true, logger: false, abortOnError: false },
  );
  return buildDocument(app);
}
