import { Module } from '@nestjs/common';
import { WorkerPresence } from '@postrider/persistence';
import { TakeBack } from './take-back.service';

/**
 * Reports that this worker is alive, and takes back the work of dead workers. Needs the platform, persistence and
 * queues modules.
 */
@Module({ providers: [WorkerPresence, TakeBack] })
export class PresenceModule {}
