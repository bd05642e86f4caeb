import { Inject, Injectable } from '@nestjs/common';
import { behaviorsOf, deviceEventsOf, DeviceEventsRequest, readRequest } from '@postrider/contracts';
import { type Clock, DomainError, InvalidRequest } from '@postrider/domain';
import { OutageWarning, ReportedEventsRepository } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { HintListener } from '@postrider/queues';
import type { ClientEvent, PublishResult, SessionIdentity } from '../session/device-session';
import { eventTopic } from '../protocol/topics';
import { EDGE_ID } from '../runtime/edge-id';
import { readPayload, reasonOf } from './read-payload';
import { SessionRegistry } from '../session/session-registry';

/** An event as it is sent to the other edges. */
interface RepublishedEvent {
  /** The id of its edge. */
  from: string;
  appId: string;
  name: string;
  installationId: string;
  payload: string;
}

/** Larger events are not sent to the other edges. */
const MOST_REPUBLISHED_BYTES = 65_536;

/**
 * Records the events that devices publish, as the REST endpoint does (tracked behaviour). Events on the topic `event` are also
 * published to the devices that subscribed to them, on this edge and the others. Such a publish is not stored.
 */
@Injectable()
export class DeviceEvents {
  readonly #notRecorded: OutageWarning;

  constructor(
    @Inject(EDGE_ID) private readonly edgeId: string,
    private readonly events: ReportedEventsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
    private readonly registry: SessionRegistry,
    private readonly hints: HintListener,
  ) {
    this.#notRecorded = new OutageWarning(logger, 'event.not-recorded');
  }

  async report(identity: SessionIdentity, event: ClientEvent): Promise<PublishResult> {
    const { appId, deviceId, userId, installationId } = identity;
    try {
      const { request, problems } = readRequest(DeviceEventsRequest, bodyOf(identity, event));
      if (problems.length > 0) throw new InvalidRequest(problems);
      const behaviors = behaviorsOf(deviceEventsOf(request));
      await this.events.recordBehavior({ appId, deviceId, userId }, behaviors, this.clock.now());
    } catch (error) {
      if (error instanceof DomainError)
        return { kind: 'invalid', reason: reasonOf(error.message, error.options.details) };
      this.#notRecorded.log(error);
      return { kind: 'later' };
    }
    if (event.isRepublished)
      this.#republish({ appId, name: event.name, installationId, payload: event.payload.toString('utf8') });
    return { kind: 'taken' };
  }

  /** Publishes an event that another edge sent. */
  receive(text: string): void {
    try {
      const event = JSON.parse(text) as RepublishedEvent;
      if (event.from !== this.edgeId) this.#publish(event);
    } catch {
      // Not an event of an edge, so no device is interested.
    }
  }

  #republish(event: Omit<RepublishedEvent, 'from'>): void {
    this.#publish(event);
    const text = JSON.stringify({ ...event, from: this.edgeId });
    if (text.length <= MOST_REPUBLISHED_BYTES) this.hints.tellEvent(text).catch(() => undefined);
  }

  #publish({ appId, name, installationId, payload }: Omit<RepublishedEvent, 'from'>): void {
    const topic = eventTopic(appId, name, installationId);
    const filter = eventTopic(appId, name, '+');
    const bytes = Buffer.from(payload);
    for (const session of this.registry.eventSubscribers(appId)) {
      if (session.subscriptions.has(filter)) session.publishEvent(topic, bytes);
    }
  }
}

/**
 * The body of `POST installations/events`. The published web client puts an event's own fields into `data`, or beside
 * it.
 *
 * @throws InvalidRequest for a payload that the endpoint would not read either
 */
function bodyOf(identity: SessionIdentity, { name, payload }: ClientEvent): object {
  const { createdAt, ...own } = readPayload(payload);
  const event = {
    type: 2,
    eventName: name,
    data: own.data ?? own,
    ...(createdAt === undefined ? {} : { createdAt }),
  };
  return { userId: identity.userId, installationId: identity.installationId, eventData: [event] };
}
