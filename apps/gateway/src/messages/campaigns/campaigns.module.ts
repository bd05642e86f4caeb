import { Module } from '@nestjs/common';
import { ReadingModule } from '../reading/reading.module';
import { CampaignsController } from './campaigns.controller';
import { Campaigns } from './campaigns.service';

/** Campaigns: sends to whoever rules choose. */
@Module({
  imports: [ReadingModule],
  controllers: [CampaignsController],
  providers: [Campaigns],
})
export class CampaignsModule {}
