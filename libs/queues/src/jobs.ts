import { type JsonObject, type Lane, PUSH_VENDORS, type PushVendor } from '@postrider/domain';
import { createHash } from 'node:crypto';

/**
 * One kind of job: its queue, its name there, and how its id is made. Jobs carry ids, never the work itself, which is
 * read from PostgreSQL when the job runs. So a job that runs twice, or after its work was done, finds nothing to do.
 */
export interface Job<Payload extends JsonObject> {
  queue: string;
  name: string;
  /**
   * Adding a job whose id already waits, is delayed or active has no effect, so recovery may enqueue anything. A
   * finished or failed job leaves no trace in Redis, so its id is free again. No `:` (BullMQ refuses it).
   */
  id(payload: Payload): string;
  /** BullMQ priority: 0 first, higher numbers later. */
  priority?(payload: Payload): number;
  /** Type only. */
  readonly payload?: Payload;
}

/** Defines a job. */
function defineJob<Payload extends JsonObject>(job: Job<Payload>): Job<Payload> {
  return job;
}

/**
 * Work for the audience worker: turn an accepted message's audience into pages, and those of `further` messages of the
 * application, which have few users and are due at about the same time.
 */
export type ResolveMessagePayload = { appId: string; messageId: string; further?: string[] };

/** One job for each message, or set of messages: the worker continues at the position in the ledger. */
export const resolveMessage = defineJob<ResolveMessagePayload>({
  queue: 'audience',
  name: 'resolve-message',
  id: ({ messageId, further = [] }) => `resolve-${messageId}${further.length === 0 ? '' : `-${digestOf(further)}`}`,
});

function digestOf(ids: readonly string[]): string {
  return createHash('sha256').update(ids.join()).digest('base64url');
}

/** Work for the audience worker: change tags by an uploaded file. */
export type EditTagsPayload = { appId: string; jobId: string };

/** Behind messages: people wait for messages, but not for files. */
const FILE_PRIORITY = 10;

/** One job for each file: the worker continues at the file's `position`. */
export const editTags = defineJob<EditTagsPayload>({
  queue: 'audience',
  name: 'edit-tags',
  id: ({ jobId }) => `tags-${jobId}`,
  priority: () => FILE_PRIORITY,
});

/** Work for the audience worker: import the devices of an uploaded file. */
export type ImportDevicesPayload = { appId: string; jobId: string };

/** One job for each file: the worker continues at the file's `position`. */
export const importDevices = defineJob<ImportDevicesPayload>({
  queue: 'audience',
  name: 'import-devices',
  id: ({ jobId }) => `devices-${jobId}`,
  priority: () => FILE_PRIORITY,
});

/**
 * One job for each file whose vendor tokens are validated. It has a queue of its own, because it waits for the vendor,
 * and messages whose audience is to be resolved must not wait with it.
 */
export const validateImport = defineJob<ImportDevicesPayload>({
  queue: 'validation',
  name: 'validate-import',
  id: ({ jobId }) => `validation-${jobId}`,
});

/** Work for the delivery worker: try one page with its vendor, and `further` pages of the application, each as `<message> <page>`. */
export type AttemptPagePayload = { appId: string; messageId: string; pageId: string; lane: Lane; further?: string[] };

/** The job of a page, with separate queues for each vendor. */
function attemptPageIn(queueOf: (vendor: PushVendor) => string): Record<PushVendor, Job<AttemptPagePayload>> {
  const ofVendors = PUSH_VENDORS.map((vendor) => {
    const job = defineJob<AttemptPagePayload>({
      queue: queueOf(vendor),
      name: 'attempt-page',
      id: ({ pageId, further = [] }) =>
        further.length === 0 ? `page-${pageId}` : `pages-${digestOf([pageId, ...further])}`,
    });
    return [vendor, job] as const;
  });
  return Object.fromEntries(ofVendors) as Record<PushVendor, Job<AttemptPagePayload>>;
}

/**
 * The job of a page of named users, by vendor. Each vendor has queues of its own, so that a slow one holds up nobody
 * else.
 */
export const attemptPage = attemptPageIn((vendor) => `delivery.${vendor}`);

/**
 * The job of a campaign's page, by vendor. It has a queue of its own: a worker takes a limited number of jobs of a
 * queue at a time, and campaign pages wait for a place before they are worked. So no page of named users waits for
 * them, however many there are.
 */
export const attemptCampaignPage = attemptPageIn((vendor) => `delivery.${vendor}.campaign`);

/** The job of a page of this lane. */
export function pageJob(vendor: PushVendor, lane: Lane): Job<AttemptPagePayload> {
  return lane === 'campaign' ? attemptCampaignPage[vendor] : attemptPage[vendor];
}

/** Work for the delivery worker: send those of a message's fallback SMS that are due. */
export type SendFallbacksPayload = { appId: string; messageId: string };

/** One job for each message: the ledger knows which of its users are due. */
export const sendFallbacks = defineJob<SendFallbacksPayload>({
  queue: 'fallback',
  name: 'send-fallbacks',
  id: ({ messageId }) => `fallbacks-${messageId}`,
});

/** Work for the delivery worker: send those of a webhook's events that are due. */
export type SendWebhookEventsPayload = { appId: string; webhookId: string };

/** One job for each webhook: the ledger knows which of its events are due. */
export const sendWebhookEvents = defineJob<SendWebhookEventsPayload>({
  queue: 'webhook',
  name: 'send-webhook-events',
  id: ({ webhookId }) => `webhook-${webhookId}`,
});

/** Work for the promo worker: put an upload in force. */
type ImportPromoSetPayload = { appId: string; setId: string };

/** One job for each upload: the worker continues at the set's `position`. */
export const importPromoSet = defineJob<ImportPromoSetPayload>({
  queue: 'promo',
  name: 'import-promo-set',
  id: ({ setId }) => `promo-${setId}`,
});

/** All queues. */
export const QUEUES = [
  'audience',
  'validation',
  'delivery.fcm',
  'delivery.apns',
  'delivery.hms',
  'delivery.webpush',
  'delivery.fcm.campaign',
  'delivery.apns.campaign',
  'delivery.hms.campaign',
  'delivery.webpush.campaign',
  'fallback',
  'webhook',
  'promo',
] as const;

/** The name of a queue. */
export type QueueName = (typeof QUEUES)[number];

/** All jobs. A queue's worker must handle all jobs of the queue. */
export const JOBS: readonly Job<JsonObject>[] = [
  resolveMessage,
  editTags,
  importDevices,
  validateImport,
  ...Object.values(attemptPage),
  ...Object.values(attemptCampaignPage),
  sendFallbacks,
  sendWebhookEvents,
  importPromoSet,
];

/** The Nest pattern of a job, the same on both sides of the queue: `delivery.fcm/attempt-page`. */
export function routeOf(job: Pick<Job<JsonObject>, 'queue' | 'name'>): string {
  return `${job.queue}/${job.name}`;
}

/**
 * The beginning of all our keys in Redis. The braces are a hash tag: on a cluster all keys of the queues are in one
 * slot, which BullMQ's scripts need. A scaler that needs a queue's length reads `{postrider}:<queue>:wait`, and
 * `:prioritized` of the queue `audience`.
 */
export const QUEUE_PREFIX = '{postrider}';
