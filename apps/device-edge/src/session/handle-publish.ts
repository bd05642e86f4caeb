import type { IPublishPacket, IPubrelPacket } from 'mqtt-packet';
import { PacketRefused, PUBACK_CODE } from '../protocol/reason-codes';
import type { PublishResult, SessionIdentity, SessionServices } from './device-session';
import type { PacketSession } from './packet-session';
import { type PublishedOn, readTopic } from '../protocol/topics';

/**
 * PUBLISH from a client (MQTT 3.1.1 §3.3, MQTT 5 §3.3). It is answered after it was processed, so a client can rely on
 * the answer. A PUBLISH that cannot be processed now ends the connection without an answer, and the client sends it
 * again. A topic that is not in the table, or that the access token does not cover, ends the connection (§3.3.5-2).
 */
export async function handlePublish(session: PacketSession, packet: IPublishPacket): Promise<void> {
  const is5 = session.agreement?.version === 5;
  check(packet, is5);
  const { qos, messageId = 0 } = packet;
  const result = await (qos === 2 ? publishOnce(session, packet) : publishOn(session, packet));
  if (result.kind === 'later') session.close('unavailable');
  else if (result.kind === 'busy' && !is5) session.close('rate_too_high');
  else {
    if (qos === 2) session.unreleased.add(messageId);
    answer(session, packet, result);
  }
}

/** Method A of MQTT 3.1.1 §4.3.3: the identifier is kept until PUBREL, and its message is not accepted twice. */
async function publishOnce(session: PacketSession, packet: IPublishPacket): Promise<PublishResult> {
  if (session.unreleased.has(packet)) return { kind: 'taken' };
  // Not after it was published: the client would publish it again on its next connection.
  if (session.unreleased.isFull) throw new PacketRefused('receive_maximum', 'Too many unreleased');
  return publishOn(session, packet);
}

/**
 * The meaning of a topic on which the client may publish. Null: it is not in the table, or the access token does not
 * cover it.
 */
export function publishableTopic(topic: string, identity: SessionIdentity): PublishedOn | null {
  const on = readTopic(topic, identity);
  return on?.kind === 'send' && identity.sendAccessToken === null ? null : on;
}

/**
 * Publishes the will of a connection that broke, at once or after its delay. A session that ends earlier ends the delay
 * (MQTT 5 §3.1.3.2.2).
 */
export function publishWill({ identity, services, will, agreement }: PacketSession): void {
  if (identity === null || will === null) return;
  const publish = (): Promise<PublishResult> => publishTo(services, identity, will);
  const delaySeconds = Math.min(will.delaySeconds ?? 0, agreement?.expirySeconds ?? Infinity);
  if (delaySeconds === 0) void publish();
  else services.wills.publishLater(identity, delaySeconds * 1_000, publish);
}

/** Sends a message or reports an event, as the topic says. */
function publishTo(
  services: SessionServices,
  identity: SessionIdentity,
  { on, payload }: { on: PublishedOn; payload: Buffer },
): Promise<PublishResult> {
  return on.kind === 'send'
    ? services.sends.send(identity, { to: on.to, channel: on.channel, payload })
    : services.events.report(identity, { name: on.name, payload, isRepublished: on.isRepublished });
}

async function publishOn(
  { identity, services }: PacketSession,
  { topic, payload }: IPublishPacket,
): Promise<PublishResult> {
  const on = identity === null ? null : publishableTopic(topic, identity);
  if (identity === null || on === null) throw new PacketRefused('not_authorized', 'Publishing there is not allowed');
  return publishTo(services, identity, { on, payload: Buffer.from(payload) });
}

function check(packet: IPublishPacket, is5: boolean): void {
  if (is5) checkOffered(packet);
  // §4.7.3-1: a topic is not empty.
  if (packet.topic === '') throw new PacketRefused('protocol_error', 'A publish without a topic');
}

/** Refuses what the CONNACK declares unavailable (MQTT 5 §3.2.2.3). */
function checkOffered({ qos, retain, properties = {} }: IPublishPacket): void {
  if (properties.topicAlias !== undefined) throw new PacketRefused('topic_alias', 'Topic aliases are not taken');
  if (qos === 2) throw new PacketRefused('qos_not_supported', 'The maximum QoS is 1');
  if (retain) throw new PacketRefused('retain_not_supported', 'Nothing is retained');
  if (properties.subscriptionIdentifier !== undefined) {
    throw new PacketRefused('protocol_error', 'A subscription identifier from a client (§3.3.4-6)');
  }
}

/** Before MQTT 5 the only possible answer is that the message arrived (MQTT 3.1.1 §3.3.5-2). */
function answer(session: PacketSession, { qos, messageId }: IPublishPacket, result: PublishResult): void {
  if (qos === 0) return;
  const cmd = qos === 1 ? 'puback' : 'pubrec';
  if (session.agreement?.version === 5) session.write({ cmd, messageId, ...reasonOf(result) });
  else session.write({ cmd, messageId });
}

function reasonOf(result: PublishResult): { reasonCode: number; properties?: { reasonString: string } } {
  if (result.kind === 'taken') return { reasonCode: PUBACK_CODE.taken };
  const reasonString = result.kind === 'invalid' ? result.reason.slice(0, 200) : 'Too many requests';
  const reasonCode = result.kind === 'invalid' ? PUBACK_CODE.invalid : PUBACK_CODE.quota;
  return { reasonCode, properties: { reasonString } };
}

/**
 * PUBREL (MQTT 3.1.1 §3.6): the identifier of a QoS 2 publish is free again. It is answered however often it comes
 * (§4.3.3).
 */
export function handlePubrel(session: PacketSession, { messageId }: IPubrelPacket): void {
  session.unreleased.release(messageId ?? 0);
  session.write({ cmd: 'pubcomp', messageId, ...(session.agreement?.version === 5 ? { reasonCode: 0 } : {}) });
}
