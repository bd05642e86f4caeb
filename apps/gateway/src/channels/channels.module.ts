import { Module } from '@nestjs/common';
import { ChannelListController } from './channel-list.controller';
import { ListChannels } from './channels.service';

/** The list of an application's channels. Memberships are changed in the module of the devices. */
@Module({
  controllers: [ChannelListController],
  providers: [ListChannels],
})
export class ChannelsModule {}
