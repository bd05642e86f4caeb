import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  DeviceImportsRepository,
  type DueFileJob,
  type FileJobsRepository,
  LOCK_IDS,
  TagJobsRepository,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { editTags, Enqueuer, importDevices } from '@postrider/queues';
import { LOOK_AGAIN_MS, type MaintenanceTask } from '../registry/maintenance-task';

/** A forgotten file may be large. */
const AT_ONCE = 20;

/** Files of one kind, and the job that works them. */
interface RecoveredFiles {
  files: Pick<FileJobsRepository<unknown>, 'findDue' | 'delete' | 'postpone'>;
  job: typeof editTags;
}

/**
 * Wakes a worker for files that do not progress, and forgets files whose upload broke off or that were kept long
 * enough. While Redis is away they stay due.
 */
async function recoverFiles({ files, job }: RecoveredFiles, enqueuer: Enqueuer, now: Date): Promise<void> {
  const seeTo = async ({ status, ...file }: DueFileJob): Promise<void> => {
    if (status !== 'working') return files.delete(file);
    if (!(await enqueuer.enqueueFiles(job, [file]))) return;
    await files.postpone(file, { now, wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS) });
  };
  for (const file of await files.findDue(now, AT_ONCE)) await seeTo(file);
}

/**
 * Files of tags that no worker processes or that are over (`recoverFiles`). Runs every second (`SWEEP_INTERVAL_MS`).
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
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  async run(): Promise<boolean> {
    await recoverFiles({ files: this.jobs, job: editTags }, this.enqueuer, this.clock.now());
    return false;
  }
}

/**
 * Files of devices that no worker processes or that are over (`recoverFiles`). Runs every second (`SWEEP_INTERVAL_MS`).
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
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  async run(): Promise<boolean> {
    await recoverFiles({ files: this.imports, job: importDevices }, this.enqueuer, this.clock.now());
    return false;
  }
}
