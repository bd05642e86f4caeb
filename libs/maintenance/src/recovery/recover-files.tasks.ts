import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS } from '@postrider/domain';
import {
  DeviceImportsRepository,
  type DueFileJob,
  type FileJobKey,
  type FileJobsRepository,
  LOCK_IDS,
  TagJobsRepository,
  type Sql,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import { editTags, Enqueuer, importDevices } from '@postrider/queues';
import { LOOK_AGAIN_MS, type MaintenanceTask } from '../registry/maintenance-task';

/** A forgotten file may be large. */
const AT_ONCE = 20;

/** Why an upload failed whose gateway no longer renews it. */
export const UPLOAD_CUT_OFF =
  'The upload was cut off, because the gateway that received it stopped. Nothing of the file was used: send it again';

/**
 * Wakes a worker for files of one kind that do not progress, fails uploads that were cut off, and forgets files that were
 * kept long enough. While Redis is away, files that do not progress stay due. Runs every second (`SWEEP_INTERVAL_MS`).
 */
abstract class RecoverFiles implements MaintenanceTask {
  abstract readonly name: string;
  abstract readonly lock: number;
  /** The job that works such a file. */
  protected abstract readonly job: typeof editTags;
  readonly intervalMs: number;

  constructor(
    private readonly files: Pick<FileJobsRepository<unknown>, 'due' | 'findDue' | 'giveUp' | 'delete' | 'postpone'>,
    private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
    private readonly logger: Logger,
    private readonly config: RecoverySettings,
  ) {
    this.intervalMs = config.sweepIntervalMs;
  }

  due(): Sql {
    return this.files.due(this.clock.now());
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    for (const file of await this.files.findDue(now, AT_ONCE)) await this.#recover(file, now);
    return false;
  }

  async #recover({ status, ...file }: DueFileJob, now: Date): Promise<void> {
    if (status === 'uploading') return this.#giveUp(file, now);
    if (status !== 'working') return this.files.delete(file);
    if (!(await this.enqueuer.enqueueFiles(this.job, [file]))) return;
    await this.files.postpone(file, { now, wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS) });
  }

  async #giveUp(file: FileJobKey, now: Date): Promise<void> {
    const wakeAt = new Date(now.getTime() + this.config.retentionDays * DAY_MS);
    const isGivenUp = await this.files.giveUp(file, { reason: UPLOAD_CUT_OFF, now, wakeAt });
    if (isGivenUp) this.logger.warn(file, 'upload.cut-off');
  }
}

type RecoverySettings = Pick<Config, 'sweepIntervalMs' | 'retentionDays'>;

/** Recovers files of tags. */
@Injectable()
export class RecoverTagJobs extends RecoverFiles {
  readonly name = 'recover-tag-jobs';
  readonly lock = LOCK_IDS.recoverTagJobs;
  protected readonly job = editTags;

  constructor(
    jobs: TagJobsRepository,
    @Inject(CLOCK) clock: Clock,
    enqueuer: Enqueuer,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) config: RecoverySettings,
  ) {
    super(jobs, clock, enqueuer, logger, config);
  }
}

/** Recovers files of devices. */
@Injectable()
export class RecoverDeviceImports extends RecoverFiles {
  readonly name = 'recover-device-imports';
  readonly lock = LOCK_IDS.recoverDeviceImports;
  protected readonly job = importDevices;

  constructor(
    imports: DeviceImportsRepository,
    @Inject(CLOCK) clock: Clock,
    enqueuer: Enqueuer,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) config: RecoverySettings,
  ) {
    super(imports, clock, enqueuer, logger, config);
  }
}
