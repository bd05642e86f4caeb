import { Controller } from '@nestjs/common';
import { EditTagsJob } from '@postrider/contracts';
import { again, editTags, HandleJob, type JobContext, type JobOutcome } from '@postrider/queues';
import { EditTags } from './edit-tags.service';

/** Changes tags by an uploaded file, in turns. */
@Controller()
export class EditTagsProcessor {
  constructor(private readonly files: EditTags) {}

  @HandleJob(editTags)
  async edit(payload: EditTagsJob, context: JobContext): Promise<JobOutcome> {
    const outcome = await this.files.work(payload, context.signal);
    return outcome === 'unfinished' ? again(0) : undefined;
  }
}
