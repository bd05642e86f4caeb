import type { IPublishPacket } from 'mqtt-packet';
import { PacketRefused } from '../protocol/packet-refused';
import { PUBACK_CODE } from '../protocol/reason-codes';
import type { PublishVerdict } from './device-session';
import type { Session } from './session';
import { type PublishedOn, readTopic } from '../protocol/topics';

/** Identifiers of QoS 2 that a client may hold at once. */
const MOST_UNRELEASED = 100;

/**
 * PUBLISH from a client (MQTT 3.1.1 §3.3, MQTT 5 §3.3). It is answered when it is done, so that an answer is a promise; one
 * that cannot be looked at now ends the connection without one, and the client sends it again. A topic outside the table,
 * or without the right to it, ends the connection (device-protocol; §3.3.5-2).
 */
export async function handlePublish(session: Session, packet: IPublishPacket): Promise<void> {
  const is5 = session.agreement?.version === 5;
  check(packet, is5);
  const { qos, messageId = 0 } = packet;
  // Method A of MQTT 3.1.1 §4.3.3: the identifier is kept until it is released, and its message not taken twice.
  const isTaken = qos === 2 && session.unreleased.has(messageId);
  const verdict = isTaken ? ({ kind: 'taken' } as const) : await publishOn(session, packet);
  if (verdict.kind === 'later') session.close('unavailable');
  else if (verdict.kind === 'busy' && !is5) session.close('rate_too_high');
  else {
    if (qos === 2) hold(session, messageId);
    answer(session, packet, verdict);
  }
}

function hold(session: Session, messageId: number): void {
  if (session.unreleased.size >= MOST_UNRELEASED) throw new PacketRefused('receive_maximum', 'Too many unreleased');
  session.unreleased.add(messageId);
}

/** Where a client may publish at all: on a topic of the table that its token covers. */
export function mayPublish(session: Session, topic: string): PublishedOn | null {
  const { identity } = session;
  const on = identity && readTopic(topic, identity);
  return on === null || (on.kind === 'send' && identity?.sendingToken === null) ? null : on;
}

/** Does what a topic stands for. */
export function publishTo(session: Session, on: PublishedOn, payload: Buffer): Promise<PublishVerdict> {
  return on.kind === 'send'
    ? session.services.send(session, { to: on.to, channel: on.channel, payload })
    : session.services.report(session, { name: on.name, payload, isRepublished: on.isRepublished });
}

async function publishOn(session: Session, { topic, payload }: IPublishPacket): Promise<PublishVerdict> {
  const on = mayPublish(session, topic);
  if (on === null) throw new PacketRefused('not_authorized', 'Publishing there is not allowed');
  return publishTo(session, on, Buffer.from(payload));
}

function check(packet: IPublishPacket, is5: boolean): void {
  if (is5) checkOffered(packet);
  // §4.7.3-1: a topic has a length.
  if (packet.topic === '') throw new PacketRefused('protocol_error', 'A publish without a topic');
}

/** What the CONNACK says is not offered (MQTT 5 §3.2.2.3). */
function checkOffered({ qos, retain, properties = {} }: IPublishPacket): void {
  if (properties.topicAlias !== undefined) throw new PacketRefused('topic_alias', 'Topic aliases are not taken');
  if (qos === 2) throw new PacketRefused('qos_not_supported', 'The maximum QoS is 1');
  if (retain) throw new PacketRefused('retain_not_supported', 'Nothing is retained');
  if (properties.subscriptionIdentifier !== undefined) {
    throw new PacketRefused('protocol_error', 'A subscription identifier from a client (§3.3.4-6)');
  }
}

/** The older versions know no other answer than that it came (MQTT 3.1.1 §3.3.5-2). */
function answer(session: Session, { qos, messageId }: IPublishPacket, verdict: PublishVerdict): void {
  if (qos === 0) return;
  const cmd = qos === 1 ? 'puback' : 'pubrec';
  if (session.agreement?.version === 5) session.write({ cmd, messageId, ...reasonOf(verdict) });
  else session.write({ cmd, messageId });
}

function reasonOf(verdict: PublishVerdict): { reasonCode: number; properties?: { reasonString: string } } {
  if (verdict.kind === 'taken') return { reasonCode: PUBACK_CODE.taken };
  const reasonString = verdict.kind === 'invalid' ? verdict.reason.slice(0, 200) : 'Too many requests';
  const reasonCode = verdict.kind === 'invalid' ? PUBACK_CODE.invalid : PUBACK_CODE.quota;
  return { reasonCode, properties: { reasonString } };
}
