import { Module } from '@nestjs/common';
import { SegmentsModule } from '../segments/segments.module';
import { ArchiveController, StreamArchives } from './archive/archive.controller';
import { ReadArchive } from './archive/read-archive.service';
import { WriteArchive } from './archive/write-archive.service';
import { TemplatesModule } from '../templates/templates.module';
import { TrackersModule } from '../trackers/trackers.module';
import { DraftsModule } from '../drafts/drafts.module';
import { ReadSaved } from './archive/read-saved.service';
import { InstallationsModule } from '../devices/installations.module';
import { OperationsModule } from './operations/operations.module';
import { ApplicationsController } from './applications/applications.controller';
import { Applications } from './applications/applications.service';
import { CountUnproved } from './applications/count-unproved.service';
import { RemoveApplication } from './applications/remove-application.service';
import { SettingsEffects } from './applications/settings-effects.service';
import { CreateApplication } from './applications/create-application.service';
import { TokensController } from './applications/tokens.controller';
import { Tokens } from './applications/tokens.service';
import { VendorsController } from './vendors/vendors.controller';
import { VendorSenders } from './vendors/vendor-senders.service';
import { Vendors } from './vendors/vendors.service';

/** What an operator sets up: applications, their access tokens, their vendors' credentials. */
@Module({
  imports: [DraftsModule, InstallationsModule, OperationsModule, SegmentsModule, TemplatesModule, TrackersModule],
  controllers: [ApplicationsController, ArchiveController, TokensController, VendorsController],
  providers: [
    Applications,
    CountUnproved,
    CreateApplication,
    ReadArchive,
    ReadSaved,
    RemoveApplication,
    SettingsEffects,
    StreamArchives,
    Tokens,
    Vendors,
    VendorSenders,
    WriteArchive,
  ],
})
export class AdminModule {}
