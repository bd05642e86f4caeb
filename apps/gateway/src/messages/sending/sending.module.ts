import { Module } from '@nestjs/common';
import { AcceptMessages } from './accept-messages.service';
import { AcceptanceBatches } from './acceptance-batches.service';
import { DraftMessages } from './draft-messages.service';
import { PayloadLimits } from './payload-limits.service';
import { PreviewMessages } from './preview-messages.service';
import { PreviewTexts } from './preview-texts.service';
import { SendController } from './send.controller';
import { SendReport } from './send-report.service';
import { WakeWorkers } from './wake-workers.service';
import { WriteFallbacks } from './write-fallbacks.service';
import { WriteMessages } from './write-messages.service';

/** Takes messages: toUsers, byQuery, notifyUsers. */
@Module({
  controllers: [SendController],
  providers: [
    AcceptMessages,
    AcceptanceBatches,
    DraftMessages,
    PreviewMessages,
    PreviewTexts,
    PayloadLimits,
    SendReport,
    WakeWorkers,
    WriteFallbacks,
    WriteMessages,
  ],
})
export class SendingModule {}
