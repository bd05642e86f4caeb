import { Inject, Injectable } from '@nestjs/common';
import { type Clock, groupBy, type JsonObject, type Lane, type PushVendor } from '@postrider/domain';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { JOBS_CLIENT, type JobsClient } from '../client/jobs-client';
import { QueueUnavailable } from '../connection/producer-connection';
import {
  type EditTagsPayload,
  type Job,
  pageJob,
  resolveMessage,
  sendFallbacks,
  type SendFallbacksPayload,
  sendWebhookEvents,
  type SendWebhookEventsPayload,
} from '../jobs';
import { jobsFor, type MessageToResolve } from './jobs-for';
import { sharedPageJobs } from './shared-page-jobs';

/** A page to be attempted. */
interface PageToAttempt {
  appId: string;
  messageId: string;
  pageId: string;
  vendor: PushVendor;
  lane: Lane;
  /** When its job is due. Null or left out: at once. */
  notBefore?: Date | string | null;
}

/** How much later than the page its job is due, so that it is never early. */
const AFTER_DUE_MS = 5;

/** After Redis failed, it is not called for this time: resolving continues meanwhile, and recovery enqueues later. */
const LEAVE_ALONE_MS = 500;

/**
 * Enqueues work that is committed to the ledger. If Redis is down, that is logged once per outage and is never an
 * error, because recovery enqueues work without a job.
 */
@Injectable()
export class Enqueuer {
  /** When Redis is called again, in the time of `Clock.steadyMs`. Null while it works. */
  #askAgainAt: number | null = null;

  constructor(
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @returns true if all of them are enqueued */
  async enqueuePages(pages: readonly PageToAttempt[]): Promise<boolean> {
    let isDone = true;
    for (const [job, ofJob] of groupBy(pages, ({ vendor, lane }) => pageJob(vendor, lane))) {
      const jobs = ofJob.map(({ appId, messageId, pageId, lane, notBefore }) => ({
        payload: { appId, messageId, pageId, lane },
        delayMs: this.#delayUntil(notBefore ?? null),
      }));
      const isShared = ({ payload, delayMs }: (typeof jobs)[number]): boolean =>
        payload.lane === 'transactional' && delayMs === 0;
      const shared = sharedPageJobs(jobs.filter(isShared).map(({ payload }) => payload));
      const alone = jobs.filter((one) => !isShared(one));
      const payloads = [...shared, ...alone.map(({ payload }) => payload)];
      const delaysMs = [...shared.map(() => 0), ...alone.map(({ delayMs }) => delayMs)];
      isDone = (await this.#enqueue(job, payloads, delaysMs)) && isDone;
    }
    return isDone;
  }

  /**
   * Messages that may share a job do. The job is due with the first of them.
   *
   * @returns true if all of them are enqueued
   */
  async enqueueMessages(messages: readonly MessageToResolve[]): Promise<boolean> {
    const jobs = jobsFor(messages);
    const payloads = jobs.map(({ payload }) => payload);
    const delaysMs = jobs.map(({ notBefore }) => this.#delayUntil(notBefore));
    return payloads.length === 0 || this.#enqueue(resolveMessage, payloads, delaysMs);
  }

  /** @returns true if all of them are enqueued */
  async enqueueFallbacks(messages: readonly SendFallbacksPayload[]): Promise<boolean> {
    const payloads = messages.map(({ appId, messageId }) => ({ appId, messageId }));
    return payloads.length === 0 || this.#enqueue(sendFallbacks, payloads);
  }

  /** Enqueues uploaded files for the job `job`. @returns true if all of them are enqueued */
  async enqueueFiles(job: Job<EditTagsPayload>, files: readonly EditTagsPayload[]): Promise<boolean> {
    const payloads = files.map(({ appId, jobId }) => ({ appId, jobId }));
    return payloads.length === 0 || this.#enqueue(job, payloads);
  }

  /** @returns true if all of them are enqueued */
  async enqueueWebhooks(webhooks: readonly SendWebhookEventsPayload[]): Promise<boolean> {
    const payloads = webhooks.map(({ appId, webhookId }) => ({ appId, webhookId }));
    return payloads.length === 0 || this.#enqueue(sendWebhookEvents, payloads);
  }

  #delayUntil(due: Date | string | null): number {
    const delayMs = due === null ? 0 : new Date(due).getTime() - this.clock.now().getTime();
    return delayMs > 0 ? Math.ceil(delayMs) + AFTER_DUE_MS : 0;
  }

  async #enqueue<Payload extends JsonObject>(
    job: Job<Payload>,
    payloads: readonly Payload[],
    delaysMs?: readonly number[],
  ): Promise<boolean> {
    const now = this.clock.steadyMs();
    if (this.#askAgainAt !== null && now < this.#askAgainAt) return false;
    try {
      await this.jobs.enqueue(job, payloads, { ...(delaysMs === undefined ? {} : { delaysMs }), bringsForward: true });
    } catch (error) {
      if (!(error instanceof QueueUnavailable)) throw error;
      if (this.#askAgainAt === null) this.logger.warn({ err: error, queue: job.queue }, 'enqueueing.paused');
      this.#askAgainAt = this.clock.steadyMs() + LEAVE_ALONE_MS;
      return false;
    }
    if (this.#askAgainAt !== null) this.logger.info({ queue: job.queue }, 'enqueueing.resumed');
    this.#askAgainAt = null;
    return true;
  }
}
