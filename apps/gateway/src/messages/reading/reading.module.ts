import { Module } from '@nestjs/common';
import { CancelMessage } from './cancel-message.service';
import { MessagesController } from './messages.controller';
import { ReadMessages } from './read-messages.service';

/** Reading what was sent. */
@Module({
  controllers: [MessagesController],
  providers: [ReadMessages, CancelMessage],
  exports: [ReadMessages],
})
export class ReadingModule {}
