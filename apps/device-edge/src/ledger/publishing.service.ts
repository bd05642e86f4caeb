import { Injectable } from '@nestjs/common';
import type { ClientEvent, ClientSend, PublishVerdict } from '../session/device-session';
import type { Session } from '../session/session';
import { ClientSends } from '../publishes/client-sends.service';
import { DeviceEvents } from '../publishes/device-events.service';

/** What clients publish: sends go to the gateway, events into the ledger. */
@Injectable()
export class Publishing {
  constructor(
    private readonly sends: ClientSends,
    private readonly events: DeviceEvents,
  ) {}

  async send({ identity }: Session, send: ClientSend): Promise<PublishVerdict> {
    return identity === null ? { kind: 'later' } : this.sends.send(identity, send);
  }

  async report({ identity }: Session, event: ClientEvent): Promise<PublishVerdict> {
    return identity === null ? { kind: 'later' } : this.events.report(identity, event);
  }
}
