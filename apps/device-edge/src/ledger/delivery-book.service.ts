import { Injectable } from '@nestjs/common';
import type { Session } from '../session/session';
import { Acknowledgements } from './acknowledgements.service';
import { SettledDeliveries } from './settled-deliveries';

/** What is known here of deliveries that left an outbox. */
@Injectable()
export class DeliveryBook {
  constructor(
    private readonly acknowledgements: Acknowledgements,
    private readonly settled: SettledDeliveries,
  ) {}

  settle({ identity, outbox }: Session, messageId: string): void {
    if (identity !== null) this.settled.add(messageId, identity.deviceId);
    outbox.forget(messageId);
  }

  unacknowledged(publishes: Parameters<Acknowledgements['unacknowledged']>[0]): void {
    this.acknowledgements.unacknowledged(publishes);
  }
}
