import { randomUUID } from 'node:crypto';
import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { storeMessage, type NewMessage } from '@postrider/audience';
import { type DeviceId, type Channel, type MessageContent, reachOf, type Scope } from '@postrider/domain';
import { type Database, inTransaction, rows } from '@postrider/persistence';
import { generateAccessToken, hashAccessToken, loadConfig, newId, Shutdown } from '@postrider/platform';
import { EdgeHints, QueuesModule } from '@postrider/queues';
import {
  createThrowAwayDatabase,
  TestPlatform,
  testRedisUrl,
  type ThrowAwayDatabase,
  uniquePrefix,
} from '@postrider/testing';
import { pino } from 'pino';
import { EdgeModule } from '../edge.module';
import { type EdgePorts, Listeners } from '../transport/listeners.service';

/** A device of a test and its credentials. */
export interface TestDevice {
  appId: string;
  userId: string;
  installationId: string;
  deviceId: DeviceId;
  token: string;
  clientId: string;
  /** Topics of its user. */
  topic(channel: string): string;
  ownTopic: string;
}

/** An edge in this process. */
export interface TestEdge {
  ports: EdgePorts;
  lines: Record<string, unknown>[];
  get<T>(token: symbol | (abstract new (...parameters: never[]) => T)): T;
  stop(): Promise<void>;
}

/** A database, and edges on it. */
export interface TestLedger {
  database: Database;
  startEdge(settings?: Record<string, string>): Promise<TestEdge>;
  application(appId: string): Promise<void>;
  token(appId: string, scopes: readonly Scope[]): Promise<string>;
  device(appId: string, userId: string, columns?: Record<string, unknown>): Promise<TestDevice>;
  /** Accepts a message to users (or to everybody), and wakes the edges up. */
  send(appId: string, users: string[] | 'everyone', message?: Partial<SentMessage>): Promise<string>;
  states(
    messageId: string,
  ): Promise<{ state: string; vendor: string | null; reason: string | null; attempt: number }[]>;
  close(): Promise<void>;
}

/** What a test sends. */
export interface SentMessage {
  content: Partial<MessageContent>;
  channel: Channel;
  ttlSeconds: number;
  isHinted: boolean;
  /** Users whose message it is in the end. By default the ones whom it is sent to. */
  ofUsers: string[];
}

const FLAGS = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };

/** Makes a database for one test file. */
export async function createTestLedger(): Promise<TestLedger> {
  const throwAway: ThrowAwayDatabase = await createThrowAwayDatabase(8);
  const database = throwAway.dataSource;
  const prefix = uniquePrefix();
  const edges = new Set<TestEdge>();
  const startEdge = async (settings: Record<string, string> = {}): Promise<TestEdge> => {
    const edge = await startOn(database, prefix, settings);
    edges.add(edge);
    return edge;
  };
  const token = async (appId: string, scopes: readonly Scope[]): Promise<string> => {
    const text = generateAccessToken();
    await rows(
      database,
      `INSERT INTO tokens (app_id, token_id, name, scopes, token_hash) VALUES ($1, $2, 'test', $3, $4)`,
      [appId, randomUUID(), scopes, hashAccessToken(text)],
    );
    return text;
  };
  const tokens = new Map<string, string>();
  return {
    database,
    startEdge,
    token,
    application: async (appId) => {
      await rows(database, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, $1, '')`, [appId]);
      tokens.set(appId, await token(appId, ['devices']));
    },
    device: (appId, userId, columns = {}) =>
      addDevice(database, { appId, userId, token: tokens.get(appId) ?? '' }, columns),
    send: (appId, users, message) => send(database, [...edges], { appId, users, message }),
    states: (messageId) =>
      rows(
        database,
        `SELECT state, vendor, reason, attempt::int FROM deliveries WHERE message_id = $1 ORDER BY device_id`,
        [messageId],
      ),
    close: async () => {
      await Promise.all([...edges].map((edge) => edge.stop()));
      await throwAway.drop();
    },
  };
}

async function startOn(database: Database, prefix: string, settings: Record<string, string>): Promise<TestEdge> {
  const lines: Record<string, unknown>[] = [];
  const config = loadConfig({
    DATABASE_URL: 'postgres://unused/test',
    REDIS_URL: testRedisUrl(),
    SECRET_KEY: 's'.repeat(32),
    LOG_LEVEL: 'silent',
    MQTT_PORT: '0',
    MQTT_WS_PORT: '0',
    MQTT_TLS_PORT: '0',
    ...settings,
  });
  const logger = pino({ messageKey: 'event' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const module: DynamicModule = {
    module: TestModule,
    imports: [
      TestPlatform.with({ service: 'device-edge', database, config, logger }),
      QueuesModule.forApp({ prefix }),
      EdgeModule,
    ],
  };
  const app: INestApplicationContext = await NestFactory.createApplicationContext(module, {
    logger: false,
    abortOnError: false,
  });
  const get: TestEdge['get'] = (one) => app.get(one as symbol, { strict: false });
  const ports = await get(Listeners).listen();
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    get(Shutdown).begin();
    return (stopped ??= app.close());
  };
  return { ports, lines, get, stop };
}

async function addDevice(
  database: Database,
  { appId, userId, token }: { appId: string; userId: string; token: string },
  columns: Record<string, unknown>,
): Promise<TestDevice> {
  const installationId = randomUUID();
  await rows(database, `INSERT INTO users (app_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [appId, userId]);
  const names = Object.keys(columns);
  const [row] = await rows<{ id: string }>(
    database,
    `INSERT INTO installations (app_id, installation_id, user_id, user_since${names.map((name) => `, ${name}`).join('')})
     VALUES ($1, $2, $3, now() - interval '1 minute'${names.map((_, place) => `, $${place + 4}`).join('')})
     RETURNING id::text`,
    [appId, installationId, userId, ...Object.values(columns)],
  );
  return {
    appId,
    userId,
    installationId,
    deviceId: row?.id ?? '',
    token,
    clientId: `${appId}/${userId}/${installationId}`,
    topic: (channel) => `app/${appId}/user/${channel.startsWith('public/') ? '' : `${userId}/`}${channel}`,
    ownTopic: `app/${appId}/user/${userId}/${installationId}`,
  };
}

async function send(
  database: Database,
  edges: readonly TestEdge[],
  { appId, users, message = {} }: { appId: string; users: string[] | 'everyone'; message?: Partial<SentMessage> },
): Promise<string> {
  const acceptedAt = new Date();
  const { channel = 'public/default', ttlSeconds = 3_600, isHinted = true } = message;
  const content: MessageContent = { ...FLAGS, content: 'Hello', ...message.content };
  const accepted: NewMessage = {
    id: newId(acceptedAt),
    kind: 'users',
    isCampaign: false,
    lane: 'transactional',
    content,
    acceptedAt,
    expiresAt: new Date(acceptedAt.getTime() + ttlSeconds * 1_000),
  };
  const userIds =
    users === 'everyone'
      ? (await rows<{ id: string }>(database, `SELECT user_id AS id FROM users WHERE app_id = $1`, [appId])).map(
          ({ id }) => id,
        )
      : users;
  const selection = {
    appId,
    acceptedAt,
    channel,
    who: { kind: 'users' as const, userIds },
    reach: reachOf('users', content),
  };
  // In one transaction: the edge must not read the message before its users are the ones that the test wants.
  const { edges: edgeIds } = await inTransaction(database, async (executor) => {
    const answer = await storeMessage(executor, accepted, selection, { pageSize: 500 });
    const ofUsers = users === 'everyone' ? null : message.ofUsers;
    if (ofUsers !== undefined)
      await rows(executor, `UPDATE messages SET user_ids = $2 WHERE id = $1`, [accepted.id, ofUsers]);
    return answer;
  });
  if (isHinted) edges[0]?.get(EdgeHints).tell(edgeIds, accepted.id);
  return accepted.id;
}

/** The modules of an edge in a test. */
@Module({})
class TestModule {}
