import { Controller } from '@nestjs/common';
import { ImportDevicesJob } from '@postrider/contracts';
import { again, HandleJob, importDevices, type JobContext, type JobOutcome } from '@postrider/queues';
import { ImportDevices } from './import-devices.service';

/** Imports the devices of an uploaded file, a turn at a time. */
@Controller()
export class ImportDevicesProcessor {
  constructor(private readonly imports: ImportDevices) {}

  @HandleJob(importDevices)
  async import(payload: ImportDevicesJob, context: JobContext): Promise<JobOutcome> {
    const outcome = await this.imports.work(payload, context.signal);
    return outcome === 'unfinished' ? again(0) : undefined;
  }
}
