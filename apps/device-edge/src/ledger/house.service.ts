import { Injectable } from '@nestjs/common';
import type { Channel } from '@postrider/domain';
import { firstSpan, Traces } from '@postrider/platform';
import { EdgeMetrics } from '../runtime/edge-metrics';
import type { OutgoingDelivery } from '../session/outgoing-delivery';
import type {
  Admission,
  ClientEvent,
  ClientSend,
  ConnectAsk,
  PublishVerdict,
  SessionEnd,
  SessionServices,
} from '../session/device-session';
import type { Session } from '../session/session';
import { Acknowledgements } from '../outcomes/outcome-recorder.service';
import { Doorkeeper } from '../admission/device-admission.service';
import { Publishing } from './publishing.service';
import { Residents } from '../presence/connected-devices.service';

/** What sessions ask of this process and its ledger, each question handed to the service that answers it. */
@Injectable()
export class House implements SessionServices {
  constructor(
    private readonly doorkeeper: Doorkeeper,
    private readonly residents: Residents,
    private readonly publishing: Publishing,
    private readonly acknowledgements: Acknowledgements,
    private readonly metrics: EdgeMetrics,
    private readonly traces: Traces,
  ) {}

  async admit(ask: ConnectAsk): Promise<Admission> {
    const startedAt = performance.now();
    const admission = await this.doorkeeper.admit(ask);
    if (this.traces.isOn) this.#trace(admission, startedAt);
    return admission;
  }

  opened(session: Session): void {
    this.residents.enter(session);
  }

  ended(session: Session, end: SessionEnd): void {
    this.metrics.ended(end.cause);
    this.residents.leave(session, end);
  }

  keep(session: Session): Promise<void> {
    return this.residents.keep(session);
  }

  async join(session: Session, channels: readonly Channel[]): Promise<void> {
    await this.residents.join(session, channels);
  }

  async leave(session: Session, channels: readonly Channel[]): Promise<void> {
    await this.residents.part(session, channels);
  }

  send(session: Session, send: ClientSend): Promise<PublishVerdict> {
    return this.publishing.send(session, send);
  }

  report(session: Session, event: ClientEvent): Promise<PublishVerdict> {
    return this.publishing.report(session, event);
  }

  wantsInbox(session: Session, fromId?: string): void {
    this.residents.wantsInbox(session, fromId);
  }

  acknowledged(session: Session, delivery: OutgoingDelivery): void {
    this.acknowledgements.acknowledged(session, delivery);
  }

  sent(session: Session, delivery: OutgoingDelivery): void {
    this.acknowledgements.sent(session, delivery);
  }

  failed(session: Session, delivery: OutgoingDelivery, errorCode: string, reason: string): void {
    this.acknowledgements.failed(session, delivery, { state: 'failed', errorCode, reason });
  }

  counted(packet: string, direction: 'in' | 'out'): void {
    this.metrics.counted(packet, direction);
  }

  /** A connection that is asked for is work of its own; who asks is not told. */
  #trace(admission: Admission, startedAt: number): void {
    const isAdmitted = admission.kind === 'admitted';
    this.traces.record({
      name: 'connect',
      kind: 'server',
      place: { first: firstSpan() },
      startedAt,
      facts: {
        application: isAdmitted ? admission.identity.appId : undefined,
        outcome: isAdmitted ? 'admitted' : admission.refusal,
        isResumed: isAdmitted ? admission.subscriptions !== null : undefined,
      },
    });
  }
}
