import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations.module';
import { InboxController } from './inbox.controller';
import { Inbox } from './inbox.service';

/** The messages that devices keep. */
@Module({ imports: [InstallationsModule], controllers: [InboxController], providers: [Inbox] })
export class InboxModule {}
