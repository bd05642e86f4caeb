import { Module } from '@nestjs/common';
import { AcceptTagFile, StreamFiles } from './accept-tag-file.service';
import { ReadTagJob } from './read-tag-job.service';
import { BulkTagsController } from './bulk-tags.controller';

/** Tags of many users from files. */
@Module({
  controllers: [BulkTagsController],
  providers: [AcceptTagFile, ReadTagJob, StreamFiles],
})
export class BulkTagsModule {}
