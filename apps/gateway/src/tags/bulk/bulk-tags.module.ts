import { Module } from '@nestjs/common';
import { AcceptTagFile, ReadTagJob, StreamFiles } from './tag-files.service';
import { BulkTagsController } from './bulk-tags.controller';

/** Tags of many users from files. */
@Module({
  controllers: [BulkTagsController],
  providers: [AcceptTagFile, ReadTagJob, StreamFiles],
})
export class BulkTagsModule {}
