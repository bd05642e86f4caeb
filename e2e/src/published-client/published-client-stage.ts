import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { throwAwayCertificate } from '@postrider/testing';
import { type Browser, chromium as driver } from 'playwright-core';
import { type Postrider, startPostrider } from '../support/postrider';
import { startFrontDoor } from './front-door';

/** The host of the page that uses the client. */
export const SHOP = 'shop.test';
/** The host that the client itself has for its gateway and its broker. */
const HOST = 'sandbox.push.adpdigital.com';

/** A whole system behind TLS, under the hosts that the published client knows. */
export interface PublishedClientStage {
  postrider: Postrider;
  /** Where the gateway and the pages of the shop are, over TLS. */
  gatewayPort: number;
  /** Where the edge is, over TLS. */
  brokerPort: number;
  /** Starts a browser that finds the client's gateway and broker at these ports. */
  launch(gatewayPort: number, brokerPort: number): Promise<Browser>;
  stop(): Promise<void>;
}

/** Starts the system that all tests of the published client share. */
export async function startPublishedClientStage(executablePath: string): Promise<PublishedClientStage> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-published-'));
  const certificate = throwAwayCertificate();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await Promise.all([writeFile(cert, certificate.cert), writeFile(key, certificate.key)]);
  const postrider = await startPostrider({ MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key, MQTT_TLS_PORT: '0' });
  const door = await startFrontDoor(postrider.system.gatewayUrl, SHOP, certificate);
  return {
    postrider,
    gatewayPort: door.port,
    brokerPort: Number(new URL(postrider.system.mqtt?.webSocketUrl ?? '').port),
    launch: (gatewayPort, brokerPort) => {
      const hosts = [`${HOST}:443 127.0.0.1:${gatewayPort}`, `${HOST}:4433 127.0.0.1:${brokerPort}`];
      const rules = [...hosts, `${SHOP}:443 127.0.0.1:${door.port}`].map((rule) => `MAP ${rule}`).join(',');
      return driver.launch({
        executablePath,
        args: ['--no-sandbox', '--ignore-certificate-errors', `--host-resolver-rules=${rules}`],
      });
    },
    stop: async () => {
      await door.close();
      await postrider.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
