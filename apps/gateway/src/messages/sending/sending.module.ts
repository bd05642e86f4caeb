import { Module } from '@nestjs/common';
import { DraftsModule } from '../../drafts/drafts.module';
import { TemplatesModule } from '../../templates/templates.module';
import { ReadingModule } from '../reading/reading.module';
import { AcceptMessages } from './accept-messages.service';
import { AcceptanceBatches } from './acceptance-batches.service';
import { ChangeMessage } from './change-message.service';
import { DraftMessages } from './draft-messages.service';
import { PayloadLimits } from './payload-limits.service';
import { PreviewMessages } from './preview-messages.service';
import { PreviewTexts } from './preview-texts.service';
import { RecentApplications } from './recent-applications.service';
import { ScheduledMessagesController } from './scheduled-messages.controller';
import { SendController } from './send.controller';
import { SendReport } from './send-report.service';
import { WakeWorkers } from './wake-workers.service';
import { WriteFallbacks } from './write-fallbacks.service';
import { WriteMessages } from './write-messages.service';

/** Accepts messages (toUsers, byQuery, notifyUsers, notifyUser), and changes scheduled ones. */
@Module({
  imports: [DraftsModule, ReadingModule, TemplatesModule],
  controllers: [SendController, ScheduledMessagesController],
  providers: [
    AcceptMessages,
    AcceptanceBatches,
    ChangeMessage,
    DraftMessages,
    PreviewMessages,
    PreviewTexts,
    PayloadLimits,
    RecentApplications,
    SendReport,
    WakeWorkers,
    WriteFallbacks,
    WriteMessages,
  ],
})
export class SendingModule {}
