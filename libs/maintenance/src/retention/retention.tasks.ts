import { DAY_MS, type Clock, HOUR_MS, MAX_CAP_SECONDS, MINUTE_MS, SECOND_MS } from '@postrider/domain';
import { type Config, CLOCK, CONFIG, LedgerClock, LOGGER, type Logger } from '@postrider/platform';
import { type FactoryProvider, Inject, Injectable, type Type } from '@nestjs/common';
import {
  LOCK_IDS,
  FallbacksRepository,
  WebhookEventsRepository,
  ContactsRepository,
  PacingRepository,
  DeadTokensRepository,
  RemovedTokensRepository,
  TrackersRepository,
  DeferredLinksRepository,
  ReportedEventsRepository,
  IdempotencyRepository,
  PromoAssignmentsRepository,
  PromoSetsRepository,
  DAYS_REMEMBERED,
  PartitionsRepository,
  ConnectionSessionsRepository,
} from '@postrider/persistence';
import type { MaintenanceTask } from '../registry/maintenance-task';

/** Rows that one statement deletes: few enough that the statement delays nothing else. */
const DELETE_LIMIT = 1_000;

/**
 * Deletes rows older than `before`, statement by statement, until none is left or `signal` fires.
 * @param deleteSome deletes up to `limit` rows and returns how many it deleted
 * @returns how many were deleted
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

/** If the clocks differ by more, nothing is deleted. */
const CLOCKS_DIFFER_BY_MS = 5 * MINUTE_MS;

/**
 * Whether old data may be deleted now: PostgreSQL's clock and that of this machine agree. One of them may be days ahead
 * otherwise, and everything would look old. The log says so, and so does the alert for clocks.
 */
function mayDelete(clock: Clock, logger: Logger, task: string): boolean {
  const aheadMs = clock instanceof LedgerClock ? Math.round(clock.machineAheadMs) : 0;
  if (Math.abs(aheadMs) <= CLOCKS_DIFFER_BY_MS) return true;
  logger.error({ task, aheadMs }, 'retention.clocks-differ');
  return false;
}

type RetentionConfig = Pick<Config, 'retentionDays' | 'promoRetentionDays'>;

/** The moment before which something is kept no longer. */
type KeptSince = (now: Date, config: RetentionConfig) => Date;

/** The moment before which messages, and what belongs to them, are kept no longer. */
const retainedSince = (now: Date, { retentionDays }: Pick<Config, 'retentionDays'>): Date =>
  daysBefore(now, retentionDays);
const promoRetainedSince: KeptSince = (now, { promoRetentionDays }) => daysBefore(now, promoRetentionDays);
const forDays =
  (days: number): KeptSince =>
  (now) =>
    daysBefore(now, days);
const untilNow: KeptSince = (now) => now;

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

/** Rows of one table that a task deletes when they are old. */
interface Deletion {
  repository: Type<object>;
  deleteSome: (repository: object, before: Date, limit: number) => Promise<number>;
  keptSince: KeptSince;
  /** The name of their number in the log line; without it they are not told of. */
  counted?: string | undefined;
}

/** The deletion of old rows by a method of the repository. */
function deletes<R extends object>(
  repository: Type<R>,
  deleteSome: (repository: R, before: Date, limit: number) => Promise<number>,
  keptSince: KeptSince,
  counted?: string,
): Deletion {
  return { repository, deleteSome: (given, ...of) => deleteSome(given as R, ...of), keptSince, counted };
}

interface Retention extends Pick<MaintenanceTask, 'name' | 'intervalMs' | 'lock'> {
  /** The deletions of the task, in this order. */
  deletions: readonly Deletion[];
  /** The event that is logged with the counts, unless all are 0. */
  event?: 'retention.deleted' | 'promo.kept';
}

const RETENTION: readonly Retention[] = [
  /** Fallback SMS of messages that are past `RETENTION_DAYS`: deletes them. Every hour. */
  {
    name: 'delete-old-fallbacks',
    intervalMs: HOUR_MS,
    lock: LOCK_IDS.deleteOldFallbacks,
    deletions: [
      deletes(FallbacksRepository, (fallbacks, ...of) => fallbacks.deleteOld(...of), retainedSince, 'fallbacks'),
    ],
    event: 'retention.deleted',
  },
  /** Webhook events that are past `RETENTION_DAYS`: deletes them. Every hour. */
  {
    name: 'delete-old-webhook-events',
    intervalMs: HOUR_MS,
    lock: LOCK_IDS.deleteOldWebhookEvents,
    deletions: [
      deletes(WebhookEventsRepository, (events, ...of) => events.deleteOld(...of), retainedSince, 'webhookEvents'),
    ],
    event: 'retention.deleted',
  },
  /** Messages that were sent at a limited rate and ended a day ago: deletes the record of their pace. Every hour. */
  {
    name: 'delete-old-paces',
    intervalMs: HOUR_MS,
    lock: LOCK_IDS.deleteOldPaces,
    deletions: [deletes(PacingRepository, (pacing, ...of) => pacing.deleteOld(...of), forDays(1))],
  },
  /**
   * Users to whom nothing was sent for longer than any frequency cap looks back: deletes the record of their messages.
   * Every day.
   */
  {
    name: 'forget-old-contacts',
    intervalMs: DAY_MS,
    lock: LOCK_IDS.forgetOldContacts,
    deletions: [
      deletes(
        ContactsRepository,
        (contacts, ...of) => contacts.deleteOld(...of),
        (now) => new Date(now.getTime() - MAX_CAP_SECONDS * SECOND_MS - DAY_MS),
      ),
    ],
  },
  /**
   * Tokens that were switched off or put into a quarantine before `RETENTION_DAYS`, and what vendors answered about tokens more than 30
   * days ago: deletes them. Every hour.
   */
  {
    name: 'delete-old-token-answers',
    intervalMs: HOUR_MS,
    lock: LOCK_IDS.deleteOldTokenAnswers,
    deletions: [
      deletes(
        DeadTokensRepository,
        (tokens, ...of) => tokens.deleteOldQuarantines(...of),
        retainedSince,
        'quarantined',
      ),
      deletes(RemovedTokensRepository, (tokens, ...of) => tokens.deleteOld(...of), retainedSince),
      deletes(DeadTokensRepository, (tokens, ...of) => tokens.deleteOldAnswers(...of), forDays(30)),
    ],
    event: 'retention.deleted',
  },
  /**
   * Records of clicks on links: deletes deferred links whose time is over, visitors after a day, and claims of links
   * and opened links past `RETENTION_DAYS`. Every hour.
   */
  {
    name: 'delete-old-tracker-data',
    intervalMs: HOUR_MS,
    lock: LOCK_IDS.deleteOldTrackerData,
    deletions: [
      deletes(DeferredLinksRepository, (links, ...of) => links.deleteExpired(...of), untilNow),
      deletes(TrackersRepository, (trackers, ...of) => trackers.deleteOldVisitors(...of), forDays(1)),
      deletes(DeferredLinksRepository, (links, ...of) => links.deleteOldClaims(...of), retainedSince),
      deletes(ReportedEventsRepository, (events, ...of) => events.deleteOldLinkOpens(...of), retainedSince),
    ],
  },
  /** Sessions of connections that ended a day ago, because their devices did not come back: deletes them. Every hour. */
  {
    name: 'delete-ended-sessions',
    intervalMs: HOUR_MS,
    lock: LOCK_IDS.deleteEndedSessions,
    deletions: [
      deletes(ConnectionSessionsRepository, (sessions, ...of) => sessions.deleteEnded(...of), forDays(1), 'sessions'),
    ],
    event: 'retention.deleted',
  },
  /** Idempotency keys that were taken more than a day ago, with the answers kept under them: deletes them. Every hour. */
  {
    name: 'delete-old-idempotency-keys',
    intervalMs: HOUR_MS,
    lock: LOCK_IDS.deleteOldIdempotencyKeys,
    deletions: [deletes(IdempotencyRepository, (keys, ...of) => keys.deleteOld(...of), forDays(1), 'idempotencyKeys')],
    event: 'retention.deleted',
  },
  /**
   * Records of the users' promo codes, and old sets: deletes those that are older than `PROMO_RETENTION_DAYS`. Every
   * hour.
   */
  {
    name: 'delete-old-promo-records',
    intervalMs: HOUR_MS,
    lock: LOCK_IDS.deleteOldPromoRecords,
    deletions: [
      deletes(
        PromoAssignmentsRepository,
        (assignments, ...of) => assignments.deleteOld(...of),
        promoRetainedSince,
        'assignments',
      ),
      deletes(PromoSetsRepository, (sets, ...of) => sets.deleteOld(...of), promoRetainedSince, 'sets'),
    ],
    event: 'promo.kept',
  },
];

/** Nest's provider of a task that deletes what `retention` names. */
function retentionTask({ deletions, event, ...task }: Retention): FactoryProvider<MaintenanceTask> {
  const create = (
    config: RetentionConfig,
    clock: Clock,
    logger: Logger,
    ...repositories: object[]
  ): MaintenanceTask => ({
    ...task,
    async run(signal) {
      if (!mayDelete(clock, logger, task.name)) return false;
      const now = clock.now();
      const counts: Record<string, number> = {};
      for (const [index, { deleteSome, keptSince, counted }] of deletions.entries()) {
        const repository = repositories[index] as object;
        const deleted = await deleteOld((...of) => deleteSome(repository, ...of), keptSince(now, config), signal);
        if (counted !== undefined) counts[counted] = deleted;
      }
      const isWorthTelling = Object.values(counts).some((deleted) => deleted > 0);
      if (event !== undefined && isWorthTelling) logger.info(counts, event);
      return false;
    },
  });
  const repositories = deletions.map(({ repository }) => repository);
  return { provide: Symbol(task.name), inject: [CONFIG, CLOCK, LOGGER, ...repositories], useFactory: create };
}

/** The tasks that delete rows that are kept for a limited time, as providers, in the order in which they begin. */
export const RETENTION_TASKS: readonly FactoryProvider<MaintenanceTask>[] = RETENTION.map(retentionTask);

/**
 * Makes the daily partitions of the days to come. Runs every minute: a machine that was suspended for weeks, or whose clock was
 * put forward, has none for the day on which it finds itself, and nothing can be stored until they are made.
 */
@Injectable()
export class KeepPartitions implements MaintenanceTask {
  readonly name = 'keep-partitions';
  readonly intervalMs = MINUTE_MS;
  readonly lock = LOCK_IDS.keepPartitions;

  constructor(
    private readonly partitions: PartitionsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<boolean> {
    const made = await this.partitions.ensure(this.clock.now());
    if (made.length > 0) this.logger.info({ made }, 'ledger.kept');
    return false;
  }
}

/**
 * Drops the daily partitions older than `RETENTION_DAYS`. Partitions of reported events are dropped when a repeated report of
 * their day is no longer recognised. Runs every hour.
 */
@Injectable()
export class DropPartitions implements MaintenanceTask {
  readonly name = 'drop-partitions';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.dropPartitions;

  constructor(
    private readonly partitions: PartitionsRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<boolean> {
    if (!mayDelete(this.clock, this.logger, this.name)) return false;
    const now = this.clock.now();
    const dropped = await this.partitions.dropOld(retainedSince(now, this.config));
    // One day more: an event that was first reported on the last day is still known until midnight.
    const events = await this.partitions.dropShortLived(new Date(now.getTime() - (DAYS_REMEMBERED + 1) * DAY_MS));
    if (dropped.length + events.length > 0) this.logger.info({ dropped: [...dropped, ...events] }, 'ledger.dropped');
    return false;
  }
}
