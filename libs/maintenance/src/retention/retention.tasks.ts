import { DAY_MS, type Clock, HOUR_MS, MAX_CAP_SECONDS, SECOND_MS } from '@postrider/domain';
import { type Config, CLOCK, CONFIG, LOGGER, type Logger } from '@postrider/platform';
import { Inject, Injectable } from '@nestjs/common';
import {
  LOCK_IDS,
  FallbacksRepository,
  WebhookEventsRepository,
  ContactsRepository,
  PacingRepository,
  DeadTokensRepository,
  RemovedTokensRepository,
  TrackersRepository,
  IdempotencyRepository,
  PromoAssignmentsRepository,
  PromoSetsRepository,
  DAYS_REMEMBERED,
  PartitionsRepository,
} from '@postrider/persistence';
import type { MaintenanceTask } from '../registry/maintenance-task';

/** Rows that one statement deletes: a statement that holds up nobody. */
const DELETE_LIMIT = 1_000;

/**
 * Deletes what is older than `before`, statement by statement, until nothing is left of it or `signal` fires.
 *
 * @param deleteSome deletes up to `limit` rows and gives how many went
 * @returns how many went
 */
async function deleteOld(
  deleteSome: (before: Date, limit: number) => Promise<number>,
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const some = await deleteSome(before, DELETE_LIMIT);
    deleted += some;
    if (some < DELETE_LIMIT) break;
  }
  return deleted;
}

/** The moment before which messages, and what belongs to them, are kept no longer. */
function retainedSince(now: Date, { retentionDays }: Pick<Config, 'retentionDays'>): Date {
  return new Date(now.getTime() - retentionDays * DAY_MS);
}

/** Fallback SMS of messages that are past `RETENTION_DAYS`: deletes them. Every hour. */
@Injectable()
export class DeleteOldFallbacks implements MaintenanceTask {
  readonly name = 'delete-old-fallbacks';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldFallbacks;

  constructor(
    private readonly fallbacks: FallbacksRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const before = retainedSince(this.clock.now(), this.config);
    const fallbacks = await deleteOld((...of) => this.fallbacks.deleteOld(...of), before, signal);
    if (fallbacks > 0) this.logger.info({ fallbacks }, 'retention.deleted');
    return false;
  }
}

/** Webhook events that are past `RETENTION_DAYS`: deletes them. Every hour. */
@Injectable()
export class DeleteOldWebhookEvents implements MaintenanceTask {
  readonly name = 'delete-old-webhook-events';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldWebhookEvents;

  constructor(
    private readonly webhookEvents: WebhookEventsRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const before = retainedSince(this.clock.now(), this.config);
    const webhookEvents = await deleteOld((...of) => this.webhookEvents.deleteOld(...of), before, signal);
    if (webhookEvents > 0) this.logger.info({ webhookEvents }, 'retention.deleted');
    return false;
  }
}

/** What was sent at a limited rate and is over for a day: deletes the record of its pace. Every hour. */
@Injectable()
export class DeleteOldPaces implements MaintenanceTask {
  readonly name = 'delete-old-paces';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldPaces;

  constructor(
    private readonly pacing: PacingRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const dayBefore = new Date(this.clock.now().getTime() - DAY_MS);
    await deleteOld((...of) => this.pacing.deleteOld(...of), dayBefore, signal);
    return false;
  }
}

/** Users to whom nothing was sent for longer than any frequency cap looks back: forgets what they were sent. Every day. */
@Injectable()
export class ForgetOldContacts implements MaintenanceTask {
  readonly name = 'forget-old-contacts';
  readonly intervalMs = DAY_MS;
  readonly lock = LOCK_IDS.forgetOldContacts;

  constructor(
    private readonly contacts: ContactsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const before = new Date(this.clock.now().getTime() - MAX_CAP_SECONDS * SECOND_MS - DAY_MS);
    await deleteOld((...of) => this.contacts.deleteOld(...of), before, signal);
    return false;
  }
}

const ANSWERS_KEPT_MS = 30 * DAY_MS;

/**
 * Tokens that were switched off or put into a quarantine before `RETENTION_DAYS`, and what vendors answered about tokens more than 30
 * days ago: deletes them. Every hour.
 */
@Injectable()
export class DeleteOldTokenAnswers implements MaintenanceTask {
  readonly name = 'delete-old-token-answers';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldTokenAnswers;

  constructor(
    private readonly deadTokens: DeadTokensRepository,
    private readonly removedTokens: RemovedTokensRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const now = this.clock.now();
    const before = retainedSince(now, this.config);
    const quarantined = await deleteOld((...of) => this.deadTokens.deleteOldQuarantines(...of), before, signal);
    await deleteOld((...of) => this.removedTokens.deleteOld(...of), before, signal);
    const answersBefore = new Date(now.getTime() - ANSWERS_KEPT_MS);
    await deleteOld((...of) => this.deadTokens.deleteOldAnswers(...of), answersBefore, signal);
    if (quarantined > 0) this.logger.info({ quarantined }, 'retention.deleted');
    return false;
  }
}

/**
 * What clicks on links left behind: deletes deferred links whose time is over, visitors after a day, and claims of links and opened links
 * past `RETENTION_DAYS`. Every hour.
 */
@Injectable()
export class DeleteOldTrackerData implements MaintenanceTask {
  readonly name = 'delete-old-tracker-data';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldTrackerData;

  constructor(
    private readonly trackers: TrackersRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const now = this.clock.now();
    const before = retainedSince(now, this.config);
    const dayBefore = new Date(now.getTime() - DAY_MS);
    const { trackers } = this;
    await deleteOld((...of) => trackers.deleteExpiredLinks(...of), now, signal);
    await deleteOld((...of) => trackers.deleteOldVisitors(...of), dayBefore, signal);
    await deleteOld((...of) => trackers.deleteOldClaimedLinks(...of), before, signal);
    await deleteOld((...of) => trackers.deleteOldLinkOpens(...of), before, signal);
    return false;
  }
}

/** Idempotency keys that were taken more than a day ago, with the answers kept under them: deletes them. Every hour. */
@Injectable()
export class DeleteOldIdempotencyKeys implements MaintenanceTask {
  readonly name = 'delete-old-idempotency-keys';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldIdempotencyKeys;

  constructor(
    private readonly idempotency: IdempotencyRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const dayBefore = new Date(this.clock.now().getTime() - DAY_MS);
    const idempotencyKeys = await deleteOld((...of) => this.idempotency.deleteOld(...of), dayBefore, signal);
    if (idempotencyKeys > 0) this.logger.info({ idempotencyKeys }, 'retention.deleted');
    return false;
  }
}

/**
 * Who was given which promo code, and sets that are over: deletes those that are older than `PROMO_RETENTION_DAYS`. Every hour.
 */
@Injectable()
export class DeleteOldPromoRecords implements MaintenanceTask {
  readonly name = 'delete-old-promo-records';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldPromoRecords;

  constructor(
    private readonly promoSets: PromoSetsRepository,
    private readonly promoAssignments: PromoAssignmentsRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'promoRetentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const before = new Date(this.clock.now().getTime() - this.config.promoRetentionDays * DAY_MS);
    const assignments = await this.#deleteAll(this.promoAssignments, before, signal);
    const sets = await this.#deleteAll(this.promoSets, before, signal);
    if (assignments + sets > 0) this.logger.info({ assignments, sets }, 'promo.kept');
    return false;
  }

  #deleteAll(of: Pick<PromoSetsRepository, 'deleteOld'>, before: Date, signal: AbortSignal): Promise<number> {
    return deleteOld((...some) => of.deleteOld(...some), before, signal);
  }
}

/**
 * Keeps the ledger in days: makes the partitions of the days to come and drops those past `RETENTION_DAYS`, and those of reported
 * events past the days on which a report is known again. Every hour.
 */
@Injectable()
export class KeepPartitions implements MaintenanceTask {
  readonly name = 'keep-partitions';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.keepPartitions;

  constructor(
    private readonly partitions: PartitionsRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<boolean> {
    const now = this.clock.now();
    const made = await this.partitions.ensure(now);
    const dropped = await this.partitions.dropOld(retainedSince(now, this.config));
    // One day more: what was first reported on the last day is still known until midnight.
    await this.partitions.dropShortLived(new Date(now.getTime() - (DAYS_REMEMBERED + 1) * DAY_MS));
    this.logger.info({ made, dropped }, 'ledger.kept');
    return false;
  }
}
