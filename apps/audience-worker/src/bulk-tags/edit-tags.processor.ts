import { Controller } from '@nestjs/common';
import { again, editTags, type EditTagsPayload, HandleJob, type JobContext, type JobOutcome } from '@postrider/queues';
import { EditTags } from './edit-tags.service';

/** Changes tags as an uploaded file says, a turn at a time. */
@Controller()
export class EditTagsProcessor {
  constructor(private readonly files: EditTags) {}

  @HandleJob(editTags)
  async edit(payload: EditTagsPayload, context: JobContext): Promise<JobOutcome> {
    const outcome = await this.files.work(payload, context.signal);
    return outcome === 'unfinished' ? again(0) : undefined;
  }
}
