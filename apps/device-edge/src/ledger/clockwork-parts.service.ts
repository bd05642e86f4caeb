import { Injectable } from '@nestjs/common';
import { HintListener } from '@postrider/queues';
import { Closing } from '../presence/session-closer.service';
import { Connections } from '../session/session-registry';
import { DeviceEvents } from '../publishes/device-events.service';
import { Inbox } from '../inbox/inbox-reader.service';
import { Rechecks } from '../inbox/inbox-rechecks.service';

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
