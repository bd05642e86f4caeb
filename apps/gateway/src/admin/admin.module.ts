import { Module } from '@nestjs/common';
import { SegmentsModule } from '../segments/segments.module';
import { ArchiveController, StreamArchives } from './archive/archive.controller';
import { ReadArchive } from './archive/read-archive.service';
import { WriteArchive } from './archive/write-archive.service';
import { TemplatesModule } from '../templates/templates.module';
import { TrackersModule } from '../trackers/trackers.module';
import { DraftsModule } from '../drafts/drafts.module';
import { ReadSaved } from './archive/read-saved.service';
import { OperationsModule } from './operations/operations.module';
import { ApplicationsController } from './applications/applications.controller';
import { ApplicationsModule } from './applications/applications.module';
import { CreateApplication } from './applications/create-application.service';
import { TokensController } from './applications/tokens.controller';
import { Tokens } from './applications/tokens.service';
import { VendorsController } from './vendors/vendors.controller';
import { VendorSenders } from './vendors/vendor-senders.service';
import { Vendors } from './vendors/vendors.service';

/** What an operator sets up: applications, their access tokens, their vendors' credentials. */
@Module({
  imports: [DraftsModule, ApplicationsModule, OperationsModule, SegmentsModule, TemplatesModule, TrackersModule],
  controllers: [ApplicationsController, ArchiveController, TokensController, VendorsController],
  providers: [CreateApplication, ReadArchive, ReadSaved, StreamArchives, Tokens, Vendors, VendorSenders, WriteArchive],
})
export class AdminModule {}
