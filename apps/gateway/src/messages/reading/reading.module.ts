import { Module } from '@nestjs/common';
import { CampaignsController } from './campaigns.controller';
import { Campaigns } from './campaigns.service';
import { CancelMessage } from './cancel-message.service';
import { ChooseWinnerByHand } from './choose-winner.service';
import { ExportDeliveries } from './export-deliveries.service';
import { ListDeliveries } from './list-deliveries.service';
import { MessagesController } from './messages.controller';
import { ReadMessages } from './read-messages.service';

/** Reading sent messages, by message and by campaign. */
@Module({
  controllers: [MessagesController, CampaignsController],
  providers: [ReadMessages, CancelMessage, Campaigns, ChooseWinnerByHand, ListDeliveries, ExportDeliveries],
  exports: [ReadMessages],
})
export class ReadingModule {}
