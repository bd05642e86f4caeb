import type { ISubscribePacket } from 'mqtt-packet';
import { PacketRefused } from '../protocol/packet-refused';
import { SUBACK_FAILURE, SUBACK_REFUSED } from '../protocol/reason-codes';
import type { Session } from './session';
import { channelsOf, readFilter } from '../protocol/topics';

/** What one filter of a SUBSCRIBE gets: a granted QoS, or a code that says why not. */
type Grant = { topic: string; qos: 0 | 1 } | { code: number };

/**
 * SUBSCRIBE (MQTT 3.1.1 §3.8, MQTT 5 §3.8). Whoever subscribes to a channel is a member of it when the SUBACK comes; what
 * waited for the topic follows. A filter outside the table is refused, the others of the packet hold.
 */
export async function handleSubscribe(session: Session, packet: ISubscribePacket): Promise<void> {
  if (packet.properties?.subscriptionIdentifier !== undefined) {
    throw new PacketRefused('subscription_identifiers', 'Subscription identifiers are not available');
  }
  let room = session.limits.subscriptions - session.subscriptions.size;
  const grants = packet.subscriptions.map(({ topic, qos }): Grant => {
    const grant = judge(session, topic, qos);
    if (!('topic' in grant) || session.subscriptions.has(topic)) return grant;
    return room-- > 0 ? grant : { code: SUBACK_REFUSED.quota };
  });
  const isKept = await take(session, grants);
  const is5 = session.agreement?.version === 5;
  const granted = grants.map((grant) => {
    if (!isKept) return SUBACK_FAILURE;
    if ('topic' in grant) return grant.qos;
    return is5 ? grant.code : SUBACK_FAILURE;
  });
  session.write({ cmd: 'suback', messageId: packet.messageId, granted });
  session.services.wantsInbox(session);
}

function judge(session: Session, topic: string, qos: number): Grant {
  const { identity } = session;
  if (topic.startsWith('$share/')) return { code: SUBACK_REFUSED.shared };
  const to = identity && readFilter(topic, identity);
  if (!to || (to.kind === 'events' && !identity.mayRead)) return { code: SUBACK_REFUSED.not_authorized };
  return { topic, qos: qos === 0 ? 0 : 1 };
}

/** @returns false when the ledger did not take it: nothing is subscribed to then */
async function take(session: Session, grants: readonly Grant[]): Promise<boolean> {
  const taken = grants.filter((grant) => 'topic' in grant);
  const { identity } = session;
  if (taken.length === 0 || identity === null) return true;
  const topics = taken.map(({ topic }) => topic);
  const channels = channelsOf(topics, identity);
  const before = new Map(session.subscriptions);
  if (session.heardBy === 'registration') session.subscriptions.clear();
  session.heardBy = 'client';
  // What waits for the new topics was accepted before what comes now.
  session.outbox.hold();
  for (const { topic, qos } of taken) session.subscriptions.set(topic, qos);
  try {
    // In this order: a registration that comes between them leaves the device in what its session is known to hear.
    await session.services.keep(session);
    await session.services.join(session, channels);
    return true;
  } catch {
    session.subscriptions.clear();
    for (const [topic, qos] of before) session.subscriptions.set(topic, qos);
    return false;
  }
}
