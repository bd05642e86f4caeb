export { attemptPage } from './jobs/attempt-page.job';
export type { AttemptPagePayload } from './jobs/attempt-page.job';
export { defineJob } from './jobs/job';
export type { Job } from './jobs/job';
export { resolveMessage } from './jobs/resolve-message.job';
export type { ResolveMessagePayload } from './jobs/resolve-message.job';
export { JOBS_CLIENT } from './client/jobs-client';
export type { EnqueueOptions, JobsClient } from './client/jobs-client';
