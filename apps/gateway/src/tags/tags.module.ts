import { Module } from '@nestjs/common';
import { InstallationsModule } from '../devices/installations.module';
import { DeviceOwner } from './device-owner.service';
import { EditTags } from './edit-tags.service';
import { TagEditBatches } from './tag-edit-batches.service';
import { TagsController } from './tags.controller';

/** The tags of users. */
@Module({
  imports: [InstallationsModule],
  controllers: [TagsController],
  providers: [EditTags, TagEditBatches, DeviceOwner],
  exports: [DeviceOwner],
})
export class TagsModule {}
