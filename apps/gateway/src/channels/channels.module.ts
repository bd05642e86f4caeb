import { Module } from '@nestjs/common';
import { ChannelListController } from './channel-list.controller';
import { ListChannels } from './channels.service';

/** The channels of an application, to look at; memberships are changed where devices are. */
@Module({
  controllers: [ChannelListController],
  providers: [ListChannels],
})
export class ChannelsModule {}
