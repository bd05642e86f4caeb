import { Injectable } from '@nestjs/common';
import type { WaitingMessage } from '@postrider/persistence';
import type { Session } from '../session/session';
import { Acknowledgements } from './acknowledgements.service';
import { Connections } from './connections';
import type { KnownMessage } from './message-cache';
import { RenderedPayloads } from './rendered-payloads.service';
import { SettledDeliveries } from './settled-deliveries';

/** A message that waits for devices that are connected here and have not got it. */
export interface WantedMessage {
  waiting: WaitingMessage;
  sessions: Session[];
  attempts: number[];
  keptOnes: boolean[];
}

/** Personal texts that are made in one go: the event loop is everybody's. */
const RENDERED_AT_ONCE = 100;

/** Puts what was read from the ledger into the outboxes of the devices it is for. */
@Injectable()
export class InboxDelivering {
  constructor(
    private readonly connections: Connections,
    readonly settled: SettledDeliveries,
    private readonly rendered: RenderedPayloads,
    private readonly acknowledgements: Acknowledgements,
  ) {}

  /** Whether any device is connected here. */
  get hasDevices(): boolean {
    return this.connections.devices > 0;
  }

  /** Those of the devices that are connected here, and where the message is neither under way nor acknowledged. */
  select(waiting: WaitingMessage): WantedMessage {
    const wanted: WantedMessage = { waiting, sessions: [], attempts: [], keptOnes: [] };
    waiting.deviceIds.forEach((deviceId, place) => {
      const session = this.connections.find(waiting.appId, deviceId);
      if (!session?.wants(waiting.messageId) || this.settled.has(waiting.messageId, deviceId)) return;
      wanted.sessions.push(session);
      wanted.attempts.push(waiting.attempts[place] ?? 0);
      wanted.keptOnes.push(waiting.keptOnes[place] ?? false);
    });
    return wanted;
  }

  /** Offers a message to its devices. */
  async deliver(message: KnownMessage, { sessions, attempts, keptOnes }: WantedMessage): Promise<void> {
    for (let from = 0; from < sessions.length; from += RENDERED_AT_ONCE) {
      const some = sessions.slice(from, from + RENDERED_AT_ONCE);
      const rendered = await this.rendered.render(message, some);
      rendered.forEach((one, place) => {
        const session = some[place] as Session;
        if (one.kind === 'payload') {
          session.offer({
            message: message.outgoing,
            payload: one.payload,
            isRepetition: (attempts[from + place] ?? 0) > 0,
            isKept: keptOnes[from + place] ?? false,
          });
        } else if (one.kind === 'failed' && session.identity) {
          const { appId, deviceId } = session.identity;
          const { state, errorCode, reason } = one;
          void this.acknowledgements.failed({
            appId,
            deviceId,
            messageId: message.outgoing.id,
            state,
            errorCode,
            reason,
          });
        }
      });
    }
  }
}
