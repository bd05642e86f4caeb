import { Module } from '@nestjs/common';
import { InstallationsModule } from '../devices/installations.module';
import { TagsModule } from '../tags/tags.module';
import { TrackEvents } from './track-events.service';
import { TrackingRight } from './tracking-right.service';
import { TrackController } from './track.controller';
import { TrackedBodies } from './tracked-bodies.pipe';
import { UninstallReportController } from './uninstall-report.controller';

/** Events that backends report about users, and the report of uninstalled apps. */
@Module({
  imports: [InstallationsModule, TagsModule],
  controllers: [TrackController, UninstallReportController],
  providers: [TrackEvents, TrackingRight, TrackedBodies],
})
export class EventsModule {}
