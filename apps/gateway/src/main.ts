import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { bootProcess, loadGatewayConfig } from '@postrider/platform';
import { AppModule } from './app.module';
import { createApp } from './create-app';

void bootProcess('gateway', loadGatewayConfig, async ({ config, nestLogger }) => {
  const app = await createApp(AppModule.forConfig(config), config, nestLogger);
  await app.listen(config.port, config.host);
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { context: app, ports: { http: port } };
});
