import { randomUUID } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Clock, type Scope, systemClock } from '@postrider/domain';
import {
  type GatewayConfig,
  generateAccessToken,
  hashAccessToken,
  loadGatewayConfig,
  SecretBox,
} from '@postrider/platform';
import { type Database, rows, SEAL_CONTEXTS } from '@postrider/persistence';
import { createThrowAwayDatabase, testRedisUrl, type ThrowAwayDatabase, until } from '@postrider/testing';
import { AppModule } from '../app.module';
import { createApp } from '../create-app';

/** The operator's token in tests. */
export const TEST_ADMIN_TOKEN = 'admin-token-of-the-tests';

/** An answer in a test. */
export interface TestAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- a test looks into whatever came
}

/** The parts of a request. */
export interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string | string[]>;
}

/** A gateway in this process, on a database of its own. */
export interface TestGateway {
  app: NestFastifyApplication;
  database: Database;
  databaseUrl: string;
  address: string;
  /** Makes an application. @returns its access token */
  application(appId: string, scopes?: readonly Scope[]): Promise<string>;
  /** Gives an application one more access token. */
  token(appId: string, scopes: readonly Scope[]): Promise<string>;
  /** Sends a request over a real socket. A body that is neither text nor bytes is sent as JSON. */
  request(method: string, url: string, options?: RequestOptions): Promise<TestAnswer>;
  close(): Promise<void>;
}

/** The settings of a gateway under test. */
export function testConfig(databaseUrl: string, changes: Partial<GatewayConfig> = {}): GatewayConfig {
  const config = loadGatewayConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    ADMIN_TOKEN: TEST_ADMIN_TOKEN,
    SECRET_KEY: 'secret-key-of-the-tests-0123456789abcdef',
    LOG_LEVEL: 'silent',
    LOG_FORMAT: 'json',
    PORT: '0',
  });
  return { ...config, ...changes };
}

/** Starts one; call `close` at the end. `changes` may need the address of the database. */
export async function startTestGateway(
  changes: Partial<GatewayConfig> | ((databaseUrl: string) => Partial<GatewayConfig>) = {},
  clock: Clock = systemClock,
): Promise<TestGateway> {
  const throwAway: ThrowAwayDatabase = await createThrowAwayDatabase();
  const config = testConfig(throwAway.url, typeof changes === 'function' ? changes(throwAway.url) : changes);
  const app = await createApp(AppModule.forConfig(config, clock), config);
  await app.listen(0, '127.0.0.1');
  const port = (app.getHttpServer().address() as AddressInfo).port;
  const agent = new Agent({ keepAlive: true });
  const database = throwAway.dataSource;
  const token = async (appId: string, scopes: readonly Scope[]): Promise<string> => {
    const text = generateAccessToken();
    await rows(
      database,
      `INSERT INTO tokens (app_id, token_id, name, scopes, token_hash) VALUES ($1, $2, 'test', $3, $4)`,
      [appId, randomUUID(), scopes, hashAccessToken(text)],
    );
    return text;
  };
  return {
    app,
    database,
    databaseUrl: throwAway.url,
    address: `http://127.0.0.1:${port}`,
    token,
    application: async (appId, scopes = ['server']) => {
      const sealed = new SecretBox(config.secretKey).seal(`key of ${appId}`, SEAL_CONTEXTS.identityKey(appId));
      await rows(database, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, $1, $2)`, [
        appId,
        sealed,
      ]);
      return token(appId, scopes);
    },
    request: (method, url, options = {}) => send({ port, agent }, method, url, options),
    close: async () => {
      agent.destroy();
      await app.close();
      await throwAway.drop();
    },
  };
}

/** One request over a real socket, exactly as written: no client library corrects the path or the headers. */
function send(
  { port, agent }: { port: number; agent: Agent },
  method: string,
  path: string,
  { body, headers = {} }: RequestOptions,
): Promise<TestAnswer> {
  const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: {
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => resolve(read(answer, Buffer.concat(chunks).toString('utf8'))));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

function read({ statusCode = 0, headers }: IncomingMessage, text: string): TestAnswer {
  const isJson = /\bjson\b/.test(headers['content-type'] ?? '') && text !== '';
  return { status: statusCode, headers, body: isJson ? (JSON.parse(text) as unknown) : text };
}

/** Asks for readiness until it is answered with 200. @returns the body: a busy machine may be slow to find out that it is ready */
export function untilReady(ask: () => Promise<TestAnswer>): Promise<unknown> {
  return until(async () => {
    const answer = await ask();
    return answer.status === 200 && (answer.body as object);
  });
}
