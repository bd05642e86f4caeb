import { Controller, Inject } from '@nestjs/common';
import { ImportDevicesJob } from '@postrider/contracts';
import {
  again,
  HandleJob,
  importDevices,
  type JobContext,
  type JobOutcome,
  JOBS_CLIENT,
  type JobsClient,
  validateImport,
} from '@postrider/queues';
import { ImportDevices, type ImportDevicesOutcome } from './import-devices.service';

/** The most files that are validated at a time. They wait for the vendor most of the time. */
const VALIDATED_AT_ONCE = 8;

/** How soon a file comes again of which a user is being erased. Most erasures take less time. */
const ERASING_PAUSE_MS = 500;

/** The same for a file whose tokens are validated: the vendor is asked about the same tokens again. */
const VALIDATED_ERASING_PAUSE_MS = 5_000;

/** Imports the devices of an uploaded file, one turn at a time. */
@Controller()
export class ImportDevicesProcessor {
  constructor(
    private readonly imports: ImportDevices,
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
  ) {}

  @HandleJob(importDevices)
  async import(payload: ImportDevicesJob, context: JobContext): Promise<JobOutcome> {
    const outcome = await this.imports.work(payload, context.signal);
    if (outcome === 'validates') await this.jobs.enqueue(validateImport, [{ ...payload }]);
    return nextStepOf(outcome, ERASING_PAUSE_MS);
  }

  @HandleJob(validateImport, { concurrency: VALIDATED_AT_ONCE })
  async validate(payload: ImportDevicesJob, context: JobContext): Promise<JobOutcome> {
    return nextStepOf(await this.imports.work(payload, context.signal, true), VALIDATED_ERASING_PAUSE_MS);
  }
}

function nextStepOf(outcome: ImportDevicesOutcome, erasingPauseMs: number): JobOutcome {
  if (outcome === 'erasing') return again(erasingPauseMs);
  return outcome === 'unfinished' ? again(0) : undefined;
}
