export {
  attemptCampaignPage,
  attemptPage,
  type AttemptPagePayload,
  type Job,
  resolveMessage,
  type ResolveMessagePayload,
  QUEUES,
  type QueueName,
  sendFallbacks,
  editTags,
  type EditTagsPayload,
  importDevices,
  type ImportDevicesPayload,
  validateImport,
  sendWebhookEvents,
  importPromoSet,
  pageJob,
} from './jobs';
export { JOBS_CLIENT } from './client/jobs-client';
export type { EnqueueOptions, JobsClient } from './client/jobs-client';
export { Enqueuer } from './enqueueing/enqueuer.service';
export { pagesOfJob, sharedPageJobs } from './enqueueing/shared-page-jobs';
export { JobLoss } from './client/queue-pool';
export { QueueUnavailable } from './connection/producer-connection';
export { createRedis, type RedisClient } from './connection/create-redis';
export { BullMqServer } from './server/bullmq-server';
export { HandleJob, JobContext, again, isAgain, type JobOutcome } from './server/handle-job';
export { QueueInspector } from './inspector/queue-inspector';
export { StrandedJobs } from './inspector/stranded-jobs';
export { QueuesModule } from './module/queues.module';
export type { QueuesModuleOptions } from './module/queues.module';
export { EdgeHints, HintListener } from './hints/edge-hints';
export { SharedTokens } from './shared/shared-tokens';
