import { Module } from '@nestjs/common';
import { AcceptMessages } from './accept-messages.service';
import { PayloadLimits } from './payload-limits.service';
import { PreviewMessages } from './preview-messages.service';
import { SendController } from './send.controller';
import { WakeWorkers } from './wake-workers.service';

/** Takes messages: toUsers, byQuery, notifyUsers. */
@Module({
  controllers: [SendController],
  providers: [AcceptMessages, PreviewMessages, PayloadLimits, WakeWorkers],
})
export class SendingModule {}
