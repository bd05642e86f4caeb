import { Controller } from '@nestjs/common';
import { ImportPromoSetJob } from '@postrider/contracts';
import { again, HandleJob, importPromoSet, type JobContext, type JobOutcome } from '@postrider/queues';
import { ImportPromoSetService } from './import-promo-set.service';

/** Each import keeps one core and one disk busy. */
const IMPORTS_AT_ONCE = 2;

/** Takes the `import-promo-set` jobs. */
@Controller()
export class ImportPromoSetProcessor {
  constructor(private readonly imports: ImportPromoSetService) {}

  @HandleJob(importPromoSet, { concurrency: IMPORTS_AT_ONCE })
  async import({ appId, setId }: ImportPromoSetJob, context: JobContext): Promise<JobOutcome> {
    const outcome = await this.imports.import({ appId, setId }, context.signal);
    if (outcome.kind === 'held') return again(outcome.untilMs);
    return outcome.kind === 'unfinished' ? again(0) : undefined;
  }
}
