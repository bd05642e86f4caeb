import { Module } from '@nestjs/common';
import { ReceiptsModule } from '../receipts/receipts.module';
import { ClickBuffer } from './redirector/click-buffer.service';
import { FindTargets } from './redirector/find-targets.service';
import { FollowLink } from './redirector/follow-link.service';
import { ReadTrackerStats } from './read-tracker-stats.service';
import { LinkRedirector } from './redirector/link-redirector';
import { TrackersController } from './trackers.controller';
import { Trackers } from './trackers.service';

/** Links that count who follows them, and lead into apps. */
@Module({
  imports: [ReceiptsModule],
  controllers: [TrackersController],
  providers: [Trackers, ReadTrackerStats, FindTargets, FollowLink, ClickBuffer, LinkRedirector],
  exports: [Trackers],
})
export class TrackersModule {}
