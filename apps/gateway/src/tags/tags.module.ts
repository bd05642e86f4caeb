import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module';
import { DeviceOwner } from './device-owner.service';
import { EditTags } from './edit-tags.service';
import { TagsController } from './tags.controller';
import { UserTagsController } from './user-tags.controller';

/** The tags of users. */
@Module({
  imports: [InstallationsModule],
  controllers: [TagsController, UserTagsController],
  providers: [EditTags, DeviceOwner],
  exports: [DeviceOwner],
})
export class TagsModule {}
