import { randomUUID } from 'node:crypto';
import type { WebhookEventType } from '@postrider/domain';
import {
  rows,
  sealWebhookSecrets,
  WebhookEventsRepository,
  type WebhookKey,
  WebhooksRepository,
} from '@postrider/persistence';
import { type Config, loadConfig, SecretBox, Traces } from '@postrider/platform';
import type { ThrowAwayDatabase } from '@postrider/testing';
import { generateWebhookSecret, WebhookClient } from '@postrider/vendors';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { TestClock } from '@postrider/testing';
import { AttemptWebhookEvent } from '../attempt-webhook-event.service';
import {
  CALLS_AT_ONCE,
  SendWebhookEvents,
  WEBHOOKS_AT_ONCE,
  type WebhookSendResult,
} from '../send-webhook-events.service';
import { WebhookMetrics } from '../webhook-metrics';
import { WebhookReport } from '../webhook-report.service';

const config: Config = loadConfig({
  DATABASE_URL: 'postgres://unused',
  REDIS_URL: 'redis://unused',
  SECRET_KEY: 's'.repeat(32),
});

/** The part of a delivery worker that sends webhooks, on a real database. */
export interface WebhookWorker {
  clock: TestClock;
  metrics: Registry;
  lines: Record<string, unknown>[];
  /** Sends what is due, as the job does: one that is to run again at once does, however slow the machine is. */
  send(key: WebhookKey): Promise<WebhookSendResult>;
  close(): Promise<void>;
}

/** Longer than a busy machine delays a receiver of a test. */
const PATIENT_MS = 60_000;

/** Puts one together. */
export function startWebhookWorker(
  { dataSource: database }: ThrowAwayDatabase,
  { deadlineMs = PATIENT_MS, allowPrivateEndpoints = true, clock = new TestClock() } = {},
): WebhookWorker {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const logger = pino({ messageKey: 'event' }, { write });
  const client = new WebhookClient({
    allowPrivateEndpoints,
    deadlineMs,
    connectionsPerOrigin: CALLS_AT_ONCE * WEBHOOKS_AT_ONCE,
  });
  const metrics = new Registry();
  const report = new WebhookReport(logger, new WebhookMetrics(metrics), new Traces());
  const events = new WebhookEventsRepository(database);
  const attempts = new AttemptWebhookEvent(events, clock, config, client, report);
  const sending = new SendWebhookEvents(
    events,
    new WebhooksRepository(database),
    clock,
    logger,
    new SecretBox(config.secretKey),
    attempts,
  );
  const { signal } = new AbortController();
  const send = async (key: WebhookKey): Promise<WebhookSendResult> => {
    const result = await sending.send(key, signal);
    return result.kind === 'later' && result.delayMs === 0 ? send(key) : result;
  };
  return { clock, metrics, lines, send, close: () => client.close() };
}

/** The settings of a test's webhook. */
export interface TestWebhook extends WebhookKey {
  secrets: string[];
}

/** Stores a webhook as the gateway does. */
export async function addWebhook(
  { dataSource }: ThrowAwayDatabase,
  appId: string,
  url: string,
  events: readonly WebhookEventType[],
  former?: { secret: string; until: number },
): Promise<TestWebhook> {
  const webhookId = randomUUID();
  const secrets = [generateWebhookSecret(), ...(former ? [former.secret] : [])];
  const sealed = sealWebhookSecrets(
    new SecretBox(config.secretKey),
    { appId, webhookId },
    secrets.map((secret, place) => ({ secret, until: place === 0 ? null : (former?.until ?? null) })),
  );
  await rows(
    dataSource,
    `INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, now(), now())`,
    [appId, webhookId, url, events, sealed],
  );
  return { appId, webhookId, secrets };
}
