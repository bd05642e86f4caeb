import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The parent's order. */
export interface PeerOrder {
  /** The folder that Parse Server is installed in. */
  folder: string;
  databaseUrl: string;
  port: number;
  masterKey: string;
  /** Devices of one work item of its queue. */
  batchSize: number;
  /** Connections to PostgreSQL at most. */
  poolSize: number;
  /** How long its APNs client waits for an answer, including the time in which a request waits for a free stream. */
  requestTimeoutMs: number;
  apns: { keyId: string; teamId: string; privateKey: string; topic: string; address: string; port: number };
}

/** The part of Parse Server that is used. */
interface ParseServerModule {
  ParseServer: { startApp(options: object): Promise<unknown> };
}

/** The part of its push adapter, an ES module, that is used. */
interface AdapterModule {
  default: new (options: object) => object;
}

/**
 * The peer, run as a process of its own: Parse Server over PostgreSQL, whose official push adapter sends to APNs at the
 * address of the stand-in. Takes a `PeerOrder` over IPC. Answers `ready` when it listens on loopback, or the reason why
 * it does not.
 */
process.once('message', (order: PeerOrder) => {
  start(order).then(
    () => process.send?.('ready'),
    (error: unknown) => process.send?.(String(error)),
  );
});

async function start(order: PeerOrder): Promise<void> {
  const { folder, databaseUrl, port, masterKey, batchSize, poolSize, apns } = order;
  const ofPeer = createRequire(join(folder, 'package.json'));
  const { ParseServer } = ofPeer('parse-server') as ParseServerModule;
  const { default: PushAdapter } = ofPeer('@parse/push-adapter') as AdapterModule;
  const { keyId, teamId, privateKey, topic, address, port: vendorPort } = apns;
  const token = { key: Buffer.from(privateKey), keyId, teamId };
  const limits = { requestTimeout: order.requestTimeoutMs, maxSessionMemory: SESSION_MEMORY_MB };
  const vendor = { token, topic, production: true, address, port: vendorPort, ...limits };
  await ParseServer.startApp({
    appId: PEER_APP_ID,
    masterKey,
    databaseURI: `${databaseUrl}?max=${poolSize}`,
    serverURL: `http://127.0.0.1:${port}/parse`,
    verifyServerUrl: false,
    host: '127.0.0.1',
    port,
    mountPath: '/parse',
    directAccess: true,
    silent: true,
    logLevel: 'error',
    logsFolder: null,
    push: {
      adapter: new PushAdapter({ ios: vendor }),
      queueOptions: { batchSize },
    },
  });
}

/**
 * Its APNs client passes its settings to `node:http2`, which refuses requests of a connection that wait in more memory
 * than this: 10 MB by default. In Parse Server all devices of a campaign wait.
 */
const SESSION_MEMORY_MB = 4_096;

/** The id of the application in Parse Server. */
export const PEER_APP_ID = 'bench';
