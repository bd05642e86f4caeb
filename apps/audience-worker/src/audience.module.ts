import { Module } from '@nestjs/common';
import { MaintenanceModule } from '@postrider/maintenance';
import { ImportDevicesProcessor } from './importing/import-devices.processor';
import { FcmSenders } from './importing/fcm-senders.service';
import { ImportDevices } from './importing/import-devices.service';
import { ValidateRecords } from './importing/validate-records.service';
import { WriteStretch } from './importing/write-stretch.service';
import { EditTagsProcessor } from './bulk-tags/edit-tags.processor';
import { EditTags } from './bulk-tags/edit-tags.service';
import { EnqueueResolved } from './enqueueing/enqueue-resolved.service';
import { ResolveMessageProcessor } from './resolving/resolve-message.processor';
import { ResolveMessageService } from './resolving/resolve-message.service';
import { ResolveBatch } from './resolving/resolve-batch.service';
import { ResolveReport } from './resolving/resolve-report.service';

/** The tasks of the audience worker. The importing module provides the platform, database and queues. */
@Module({
  imports: [MaintenanceModule],
  controllers: [ResolveMessageProcessor, EditTagsProcessor, ImportDevicesProcessor],
  providers: [
    EnqueueResolved,
    ResolveMessageService,
    ResolveBatch,
    ResolveReport,
    EditTags,
    ImportDevices,
    ValidateRecords,
    WriteStretch,
    FcmSenders,
  ],
})
export class AudienceModule {}
