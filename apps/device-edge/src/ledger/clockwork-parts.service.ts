import { Injectable } from '@nestjs/common';
import { HintListener } from '@postrider/queues';
import { Closing } from './closing.service';
import { Connections } from './connections';
import { DeviceEvents } from './device-events.service';
import { Inbox } from './inbox.service';
import { Rechecks } from './rechecks.service';

/** What the clock drives. */
@Injectable()
export class ClockworkParts {
  constructor(
    readonly connections: Connections,
    readonly inbox: Inbox,
    readonly rechecks: Rechecks,
    readonly closing: Closing,
    readonly events: DeviceEvents,
    readonly hints: HintListener,
  ) {}
}
