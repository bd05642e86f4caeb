import { Module } from '@nestjs/common';
import { WorkerPresence } from '@postrider/persistence';
import { TakeBack } from './take-back.service';

/** Says that this worker lives, and takes back what dead ones had in hand. Needs the platform, persistence and queues modules. */
@Module({ providers: [WorkerPresence, TakeBack] })
export class PresenceModule {}
