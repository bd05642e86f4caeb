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
  type SendFallbacksPayload,
  editTags,
  type EditTagsPayload,
  importDevices,
  type ImportDevicesPayload,
  validateImport,
  sendWebhookEvents,
  type SendWebhookEventsPayload,
  importPromoSet,
  type ImportPromoSetPayload,
  pageJob,
} from './jobs';
export { JOBS_CLIENT } from './client/jobs-client';
export type { EnqueueOptions, JobsClient } from './client/jobs-client';
export { Enqueuer } from './enqueueing/enqueuer.service';
export { pagesOfJob, sharedPageJobs } from './enqueueing/shared-page-jobs';
export { JobLoss } from './client/queue-pool';
export { QueueUnavailable } from './connection/producer-connection';
export { createRedis, type RedisClient, type RedisRole } from './connection/create-redis';
export { BullMqServer } from './server/bullmq-server';
export type { BullMqServerOptions } from './server/bullmq-server';
export {
  HandleJob,
  type HandleJobOptions,
  type JobHandler,
  JobContext,
  again,
  isAgain,
  type Again,
  type JobOutcome,
} from './server/handle-job';
export { QueueInspector } from './inspector/queue-inspector';
export type { JobCounts } from './inspector/queue-inspector';
export { StrandedJobs } from './inspector/stranded-jobs';
export { QueuesModule } from './module/queues.module';
export type { QueuesModuleOptions } from './module/queues.module';
export { EdgeHints, HintListener, type EdgeListener } from './hints/edge-hints';
export { SharedTokens } from './shared/shared-tokens';
export type { SharedToken } from './shared/shared-tokens';
