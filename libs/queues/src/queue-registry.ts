import type { JsonObject } from '@postrider/domain';
import { attemptPage } from './jobs/attempt-page.job';
import { editTags } from './jobs/edit-tags.job';
import { importPromoSet } from './jobs/import-promo-set.job';
import type { Job } from './jobs/job';
import { resolveMessage } from './jobs/resolve-message.job';
import { sendFallbacks } from './jobs/send-fallbacks.job';
import { sendWebhookEvents } from './jobs/send-webhook-events.job';

/** Every queue there is. */
export const QUEUES = [
  'audience',
  'delivery.fcm',
  'delivery.apns',
  'delivery.hms',
  'delivery.webpush',
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
  ...Object.values(attemptPage),
  sendFallbacks,
  sendWebhookEvents,
  importPromoSet,
];

/** The Nest pattern of a job, the same on both sides of the queue: `delivery.fcm/attempt-page`. */
export function routeOf(job: Pick<Job<JsonObject>, 'queue' | 'name'>): string {
  return `${job.queue}/${job.name}`;
}
