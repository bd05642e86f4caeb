import type { Clock, JsonObject } from '@postrider/domain';
import { readVendorCredentials } from '@postrider/contracts';
import {
  ApplicationsRepository,
  ContactsRepository,
  type Database,
  FallbackAttemptsRepository,
  FallbacksRepository,
  type MessageKey,
  MessagesRepository,
  OptedOutNumbersRepository,
  PersonFactsRepository,
  PhoneKeys,
  PromoAssignmentsRepository,
  PromoSetsRepository,
  RoutesRepository,
  VendorCredentialsRepository,
  WebhookEventsRepository,
} from '@postrider/persistence';
import { type Config, loadConfig, SecretBox } from '@postrider/platform';
import { PromoCodeClaims } from '@postrider/promo';
import { createSmsSender, CREDENTIAL_KINDS } from '@postrider/vendors';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Credentials } from '../../route/credentials';
import { RouteReports } from '../../route/route-reports.service';
import { AttemptFallback } from '../attempt-fallback.service';
import { FallbackRecords } from '../fallback-records.service';
import { ClaimFallbacks } from '../claim-fallbacks.service';
import { FallbackMetrics } from '../fallback-metrics';
import { FallbackFacts } from '../fallback-facts.service';
import { PersonalFallbacks } from '../personal-fallbacks.service';
import { InquireFallbacks } from '../inquire-fallbacks.service';
import { RefusedSms } from '../refused-sms.service';
import { SendFallbacks } from '../send-fallbacks.service';
import { SmsRoutes } from '../sms-routes.service';
import type { SmsSenderFactory } from '../sms-routes.service';

const config: Config = loadConfig({
  DATABASE_URL: 'postgres://unused',
  REDIS_URL: 'redis://unused',
  SECRET_KEY: 's'.repeat(32),
  ALLOW_PRIVATE_ENDPOINTS: 'true',
});

/** The part of a delivery worker that handles fallbacks, without queues. */
export interface FallbackWorker {
  fallbacks: SendFallbacks;
  claims: ClaimFallbacks;
  attempts: AttemptFallback;
  reports: RouteReports;
  metrics: Registry;
  lines: Record<string, unknown>[];
  /** Does the work of recovery and the queue: finds the fallbacks that are due now, and handles them. */
  turn(): Promise<void>;
  stop(): Promise<void>;
}

/** What a test may set. */
interface FallbackWorkerOptions {
  makeSender?: SmsSenderFactory;
  publicUrl?: string;
}

/** Puts a worker together as its module does. */
export function startFallbackWorker(
  database: Database,
  clock: Clock,
  { makeSender, publicUrl }: FallbackWorkerOptions = {},
): FallbackWorker {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const logger = pino({ messageKey: 'event' }, { write });
  const registry = new Registry();
  const metrics = new FallbackMetrics(registry);
  const settings = { ...config, publicUrl };
  const factory = makeSender ?? ((stored) => createSmsSender(stored, { clock, allowPrivateEndpoints: true }));
  const stored = new VendorCredentialsRepository(database);
  const credentials = new Credentials(stored, logger, new SecretBox(config.secretKey));
  const routes = new SmsRoutes(credentials, settings, clock, factory);
  const phoneKeys = new PhoneKeys(database, config, logger, new SecretBox(config.secretKey));
  const ledger = new FallbacksRepository(database);
  const results = new FallbackAttemptsRepository(database);
  const records = new FallbackRecords(results, clock, phoneKeys);
  const facts = new FallbackFacts(
    database,
    new MessagesRepository(database),
    new ApplicationsRepository(database),
    new PersonFactsRepository(database),
    new PromoCodeClaims(
      database,
      new PromoSetsRepository(database),
      new PromoAssignmentsRepository(database),
      new WebhookEventsRepository(database),
    ),
  );
  const claims = new ClaimFallbacks(
    database,
    ledger,
    new RefusedSms(ledger, new ContactsRepository(database), new OptedOutNumbersRepository(database, phoneKeys)),
    clock,
    metrics,
    new PersonalFallbacks(facts, records, clock, logger, metrics),
  );
  const reports = new RouteReports(database, new RoutesRepository(database), clock, settings, logger);
  reports.addSource(() => routes.facts());
  const attempts = new AttemptFallback(clock, settings, logger, metrics, reports, records);
  const inquiries = new InquireFallbacks(results, clock, logger, metrics, phoneKeys);
  const fallbacks = new SendFallbacks(ledger, clock, routes, inquiries, claims, attempts);
  const running = new AbortController();
  return {
    fallbacks,
    claims,
    attempts,
    reports,
    metrics: registry,
    lines,
    turn: async () => {
      for (const key of await ledger.findDue(clock.now(), 1_000)) await sendAll(fallbacks, key, running.signal);
    },
    stop: () => routes.onApplicationShutdown(),
  };
}

/** How often a message is repeated: one without a provider would wait for ever. */
const MOST_TRIES = 10;

/** Sends a message's due fallbacks, as the queue does: it repeats those that had to wait for a slow call. */
async function sendAll(fallbacks: SendFallbacks, key: MessageKey, stopping: AbortSignal): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if ((await fallbacks.send(key, stopping)).kind === 'done') return;
  }
}

/** Stores SMS credentials for an application, as the admin API does. */
export async function storeSmsCredentials(database: Database, appId: string, body: object, at: Date): Promise<void> {
  const { settings, secrets } = CREDENTIAL_KINDS.sms.stored(readVendorCredentials('sms', body).credentials);
  const sealed = new SecretBox(config.secretKey).seal(secrets, `vendor:${appId}:sms`);
  await new VendorCredentialsRepository(database).put(appId, { vendor: 'sms', settings, sealed }, at);
}

/** Credentials for a stand-in that a test makes itself. */
export const ANY_CREDENTIALS: JsonObject = {
  provider: 'http',
  endpoint: 'https://sms.example.com/send',
  body: '{"to":"{{ to }}","text":"{{ text }}"}',
};
