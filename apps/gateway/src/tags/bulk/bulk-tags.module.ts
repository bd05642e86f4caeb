import { Module } from '@nestjs/common';
import { AcceptTagFile } from './accept-tag-file.service';
import { BulkTagsController } from './bulk-tags.controller';
import { ReadTagJob } from './read-tag-job.service';
import { StreamFiles } from './stream-files.service';

/** Tags of many users from files. */
@Module({
  controllers: [BulkTagsController],
  providers: [AcceptTagFile, ReadTagJob, StreamFiles],
})
export class BulkTagsModule {}
