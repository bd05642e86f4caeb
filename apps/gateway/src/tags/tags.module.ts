import { Module } from '@nestjs/common';
import { InstallationsModule } from '../devices/installations.module';
import { DeviceOwner } from './device-owner.service';
import { EditTags } from './edit-tags.service';
import { EditTogether } from './edit-together.service';
import { TagsController } from './tags.controller';
import { UserTagsController } from './user-tags.controller';

/** The tags of users. */
@Module({
  imports: [InstallationsModule],
  controllers: [TagsController, UserTagsController],
  providers: [EditTags, EditTogether, DeviceOwner],
  exports: [DeviceOwner],
})
export class TagsModule {}
