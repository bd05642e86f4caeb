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

/** Files of one kind, and the job that works them. */
interface RecoveredFiles {
  files: Pick<FileJobsRepository<unknown>, 'findDue' | 'giveUp' | 'delete' | 'postpone'>;
  job: typeof editTags;
}

/** What recovery works with. */
interface Recovery {
  enqueuer: Enqueuer;
  logger: Logger;
  now: Date;
  retentionDays: number;
}

/**
 * Wakes a worker for files that do not progress, fails uploads that were cut off, and forgets files that were kept long
 * enough. While Redis is away, files that do not progress stay due.
 */
async function recoverFiles({ files, job }: RecoveredFiles, recovery: Recovery): Promise<void> {
  const { enqueuer, logger, now, retentionDays } = recovery;
  const giveUp = async (file: FileJobKey): Promise<void> => {
    const wakeAt = new Date(now.getTime() + retentionDays * DAY_MS);
    if (await files.giveUp(file, { reason: UPLOAD_CUT_OFF, now, wakeAt })) logger.warn(file, 'upload.cut-off');
  };
  const seeTo = async ({ status, ...file }: DueFileJob): Promise<void> => {
    if (status === 'uploading') return giveUp(file);
    if (status !== 'working') return files.delete(file);
    if (!(await enqueuer.enqueueFiles(job, [file]))) return;
    await files.postpone(file, { now, wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS) });
  };
  for (const file of await files.findDue(now, AT_ONCE)) await seeTo(file);
}

/**
 * Recovers files of tags (`recoverFiles`). Runs every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class RecoverTagJobs implements MaintenanceTask {
  readonly name = 'recover-tag-jobs';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.recoverTagJobs;

  constructor(
    private readonly jobs: TagJobsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<Config, 'sweepIntervalMs' | 'retentionDays'>,
  ) {
    this.intervalMs = config.sweepIntervalMs;
  }

  due(): Sql {
    return this.jobs.due(this.clock.now());
  }

  async run(): Promise<boolean> {
    const { enqueuer, logger, config } = this;
    const recovery = { enqueuer, logger, now: this.clock.now(), retentionDays: config.retentionDays };
    await recoverFiles({ files: this.jobs, job: editTags }, recovery);
    return false;
  }
}

/**
 * Recovers files of devices (`recoverFiles`). Runs every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class RecoverDeviceImports implements MaintenanceTask {
  readonly name = 'recover-device-imports';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.recoverDeviceImports;

  constructor(
    private readonly imports: DeviceImportsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<Config, 'sweepIntervalMs' | 'retentionDays'>,
  ) {
    this.intervalMs = config.sweepIntervalMs;
  }

  due(): Sql {
    return this.imports.due(this.clock.now());
  }

  async run(): Promise<boolean> {
    const { enqueuer, logger, config } = this;
    const recovery = { enqueuer, logger, now: this.clock.now(), retentionDays: config.retentionDays };
    await recoverFiles({ files: this.imports, job: importDevices }, recovery);
    return false;
  }
}
