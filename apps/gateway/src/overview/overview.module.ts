import { Module } from '@nestjs/common';
import { InstallationsModule } from '../devices/installations.module';
import { FindAttention } from './find-attention.service';
import { OverviewController } from './overview.controller';
import { ReadOverview } from './read-overview.service';

/** The overview of an application. */
@Module({
  imports: [InstallationsModule],
  controllers: [OverviewController],
  providers: [ReadOverview, FindAttention],
})
export class OverviewModule {}
