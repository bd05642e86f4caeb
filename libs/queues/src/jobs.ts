import { type JsonObject, type Lane, PUSH_VENDORS, type PushVendor } from '@postrider/domain';
import { createHash } from 'node:crypto';

/**
 * One kind of job: its queue, its name there, and how its id is made. Jobs carry ids, never the work itself; what is to do
 * is read from PostgreSQL when the job runs, so a job that runs twice or after its work was done finds nothing to do.
 */
export interface Job<Payload extends JsonObject> {
  queue: string;
  name: string;
  /**
   * Adding a job whose id is already waiting, delayed or active does nothing: recovery may enqueue what it likes.
   * A finished or failed job leaves no trace in Redis, so its id is free again. No `:` (BullMQ refuses it).
   */
  id(payload: Payload): string;
  /** BullMQ priority: 0 goes first, higher later. */
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
 * application, which name few users and are due at about the same time.
 */
export type ResolveMessagePayload = { appId: string; messageId: string; further?: string[] };

/** One job a message, or a set of messages: the worker goes on where the ledger says. */
export const resolveMessage = defineJob<ResolveMessagePayload>({
  queue: 'audience',
  name: 'resolve-message',
  id: ({ messageId, further = [] }) => `resolve-${messageId}${further.length === 0 ? '' : `-${digestOf(further)}`}`,
});

function digestOf(ids: readonly string[]): string {
  return createHash('sha256').update(ids.join()).digest('base64url');
}

/** Work for the audience worker: change tags as an uploaded file says. */
export type EditTagsPayload = { appId: string; jobId: string };

/** Behind messages: whoever is sent to waits, a file does not. */
const FILE_PRIORITY = 10;

/** One job a file: the worker goes on where the file's `position` says. */
export const editTags = defineJob<EditTagsPayload>({
  queue: 'audience',
  name: 'edit-tags',
  id: ({ jobId }) => `tags-${jobId}`,
  priority: () => FILE_PRIORITY,
});

/** Work for the audience worker: import the devices of an uploaded file. */
export type ImportDevicesPayload = { appId: string; jobId: string };

/** One job a file: the worker goes on where the file's `position` says. */
export const importDevices = defineJob<ImportDevicesPayload>({
  queue: 'audience',
  name: 'import-devices',
  id: ({ jobId }) => `devices-${jobId}`,
  priority: () => FILE_PRIORITY,
});

/**
 * One job a file whose vendor tokens are validated. It has a queue of its own: it waits for the vendor, and messages whose audience is
 * to be resolved must not wait with it.
 */
export const validateImport = defineJob<ImportDevicesPayload>({
  queue: 'validation',
  name: 'validate-import',
  id: ({ jobId }) => `validation-${jobId}`,
});

/** Work for the delivery worker: try one page with its vendor, and `further` pages of the application, each as `<message> <page>`. */
export type AttemptPagePayload = { appId: string; messageId: string; pageId: string; lane: Lane; further?: string[] };

/** The job of a page in a queue of each vendor's own. */
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

/** The job of a page of named users, by vendor: each vendor has queues of its own, so that a slow one holds up nobody else. */
export const attemptPage = attemptPageIn((vendor) => `delivery.${vendor}`);

/**
 * The job of a campaign's page, by vendor. It has a queue of its own: a worker takes only so many jobs of a queue at a time, and
 * those of a campaign wait for a place before they are worked. So no page of named users waits for them, however many there are.
 */
export const attemptCampaignPage = attemptPageIn((vendor) => `delivery.${vendor}.campaign`);

/** The job of a page of this lane. */
export function pageJob(vendor: PushVendor, lane: Lane): Job<AttemptPagePayload> {
  return lane === 'campaign' ? attemptCampaignPage[vendor] : attemptPage[vendor];
}

/** Work for the delivery worker: see to those of a message's fallback SMS that are due. */
export type SendFallbacksPayload = { appId: string; messageId: string };

/** One job a message: which of its users are due stands in the ledger. */
export const sendFallbacks = defineJob<SendFallbacksPayload>({
  queue: 'fallback',
  name: 'send-fallbacks',
  id: ({ messageId }) => `fallbacks-${messageId}`,
});

/** Work for the delivery worker: send those of a webhook's events that are due. */
export type SendWebhookEventsPayload = { appId: string; webhookId: string };

/** One job a webhook: which of its events are due stands in the ledger. */
export const sendWebhookEvents = defineJob<SendWebhookEventsPayload>({
  queue: 'webhook',
  name: 'send-webhook-events',
  id: ({ webhookId }) => `webhook-${webhookId}`,
});

/** Work for the promo worker: make an upload the set in force. */
export type ImportPromoSetPayload = { appId: string; setId: string };

/** One job an upload: the worker goes on where the set's `position` says. */
export const importPromoSet = defineJob<ImportPromoSetPayload>({
  queue: 'promo',
  name: 'import-promo-set',
  id: ({ setId }) => `promo-${setId}`,
});

/** Every queue there is. */
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

/** Every job there is: a queue's worker must handle all of that queue's. */
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
 * What every key of ours in Redis begins with. The braces are a hash tag: on a cluster all keys of the queues fall into one
 * slot, as BullMQ's scripts ask. A scaler that reads a queue's length reads `{postrider}:<queue>:wait`, and `:prioritized` of the
 * queue `audience`.
 */
export const QUEUE_PREFIX = '{postrider}';
