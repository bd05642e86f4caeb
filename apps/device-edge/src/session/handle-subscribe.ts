import { isUuid } from '@postrider/domain';
import type { ISubscribePacket, IUnsubscribePacket } from 'mqtt-packet';
import { PacketRefused, SUBACK_FAILURE, SUBACK_REFUSED, UNSUBACK_CODE } from '../protocol/reason-codes';
import { channelsOf, readFilter, registeredTopics } from '../protocol/topics';
import type { PacketSession } from './packet-session';

/** A client that subscribes does so within this time after its CONNECT. */
const SUBSCRIBES_WITHIN_MS = 2_000;
const PRIVATE = 'private/';

/** The answer to one filter of a SUBSCRIBE: a granted QoS, or the code of the refusal. */
type Grant = { topic: string; qos: 0 | 1 } | { code: number };

/**
 * SUBSCRIBE (MQTT 3.1.1 §3.8, MQTT 5 §3.8). A device that subscribes to a channel is a member of it before the SUBACK is
 * sent; messages that waited for the topic follow. A filter outside the table is refused, the others in the packet are not.
 */
export async function handleSubscribe(session: PacketSession, packet: ISubscribePacket): Promise<void> {
  if (packet.properties?.subscriptionIdentifier !== undefined) {
    throw new PacketRefused('subscription_identifiers', 'Subscription identifiers are not available');
  }
  const grants = withinLimits(
    session,
    packet.subscriptions.map(({ topic, qos }) => grantFor(session, topic, qos)),
  );
  const stored = await store(session, grants);
  const is5 = session.agreement?.version === 5;
  const granted = (stored ?? grants).map((grant) => {
    if (stored === null) return SUBACK_FAILURE;
    if ('topic' in grant) return grant.qos;
    return is5 ? grant.code : SUBACK_FAILURE;
  });
  session.write({ cmd: 'suback', messageId: packet.messageId, granted });
  session.services.devices.requestWaiting(session);
}

function grantFor(session: PacketSession, topic: string, qos: number): Grant {
  const { identity } = session;
  if (topic.startsWith('$share/')) return { code: SUBACK_REFUSED.shared };
  const to = identity && readFilter(topic, identity);
  if (!to || (to.kind === 'events' && !identity.mayRead)) return { code: SUBACK_REFUSED.not_authorized };
  // Events are published with QoS 0, and a client must get what it is granted (MQTT 3.1.1 §3.8.4-6, MQTT 5 §3.8.4-8).
  return { topic, qos: qos === 0 || to.kind === 'events' ? 0 : 1 };
}

/**
 * Refuses what is too much: subscriptions of one session, and channels that the device would be a member of, which
 * stay when a session ends.
 */
function withinLimits({ identity, limits, subscriptions }: PacketSession, grants: readonly Grant[]): Grant[] {
  if (identity === null) return [...grants];
  const joined = new Set([...identity.channels, ...channelsOf(subscriptions.keys(), identity)]);
  let room = limits.subscriptions - subscriptions.size;
  return grants.map((grant) => {
    if (!('topic' in grant) || subscriptions.has(grant.topic)) return grant;
    const joins = channelsOf([grant.topic], identity).filter((channel) => !joined.has(channel));
    if (room <= 0 || joined.size + joins.length > limits.channels) return { code: SUBACK_REFUSED.quota };
    room -= 1;
    for (const channel of joins) joined.add(channel);
    return grant;
  });
}

/** @returns what is granted and stored; null when PostgreSQL failed: the subscriptions are the ones from before */
async function store(session: PacketSession, asked: readonly Grant[]): Promise<readonly Grant[] | null> {
  const grants = await withoutOtherDevices(session, asked).catch(() => null);
  if (grants === null) return null;
  const taken = grants.filter((grant) => 'topic' in grant);
  const { identity } = session;
  if (taken.length === 0 || identity === null) return grants;
  const topics = taken.map(({ topic }) => topic);
  const channels = channelsOf(topics, identity);
  const before = new Map(session.subscriptions);
  if (session.subscribedBy === 'registration') {
    session.subscriptions.clear();
    session.ownTopicsAreDecided = false;
  }
  session.subscribedBy = 'client';
  // Messages that wait for the new topics are older than those that arrive from now on, and must go first.
  session.outbox.hold();
  for (const { topic, qos } of taken) session.subscriptions.set(topic, qos);
  try {
    // In this order: a registration between the two keeps the device in the channels that its stored session names.
    await session.services.subscriptions.save(session);
    await session.services.subscriptions.join(session, channels);
    return grants;
  } catch {
    session.subscriptions.clear();
    for (const [topic, qos] of before) session.subscriptions.set(topic, qos);
    return null;
  }
}

/** The topic of another device of the user looks like that of a private channel, and is only for that device. */
async function withoutOtherDevices({ identity, services }: PacketSession, grants: readonly Grant[]): Promise<Grant[]> {
  const checked = grants.map(async (grant): Promise<Grant> => {
    const to = identity !== null && 'topic' in grant ? readFilter(grant.topic, identity) : null;
    const name = to?.kind === 'channel' && to.channel.startsWith(PRIVATE) ? to.channel.slice(PRIVATE.length) : '';
    if (identity === null || !isUuid(name)) return grant;
    const isDevice = await services.admission.isInstallation(identity.appId, name);
    return isDevice ? { code: SUBACK_REFUSED.not_authorized } : grant;
  });
  return Promise.all(checked);
}

/**
 * UNSUBSCRIBE (MQTT 3.1.1 §3.10, MQTT 5 §3.10). A device that unsubscribes from a channel's topic leaves the channel,
 * so its messages do not reach the device through a vendor either. It is answered even if there was no such
 * subscription (§3.10.4-5).
 */
export async function handleUnsubscribe(session: PacketSession, packet: IUnsubscribePacket): Promise<void> {
  const { identity } = session;
  session.subscribedBy = 'client';
  const own = identity === null ? [] : registeredTopics(identity, []);
  if (packet.unsubscriptions.some((topic) => own.includes(topic))) session.ownTopicsAreDecided = true;
  const granted = packet.unsubscriptions.map((topic) =>
    session.subscriptions.delete(topic) ? UNSUBACK_CODE.done : UNSUBACK_CODE.none,
  );
  const channels = identity === null ? [] : channelsOf(packet.unsubscriptions, identity);
  await session.services.subscriptions.leave(session, channels);
  if (identity !== null) identity.channels = identity.channels.filter((channel) => !channels.includes(channel));
  await session.services.subscriptions.save(session);
  session.write({ cmd: 'unsuback', messageId: packet.messageId, granted });
}

/**
 * Subscribes a device without subscriptions of its own to the topics of its registration. Its own subscriptions replace
 * these at any time.
 *
 * A device that subscribes to channels only gets its own topics too, unless it has unsubscribed from one: the published
 * web client names its own topics once, and then relies on its session, which a second connection of the same page may
 * have replaced.
 */
export function subscribeByRegistration(session: PacketSession, nowMs: number): void {
  const { identity, subscriptions, openedSinceMs } = session;
  if (identity === null || session.ownTopicsAreDecided || nowMs - openedSinceMs < SUBSCRIBES_WITHIN_MS) return;
  session.ownTopicsAreDecided = true;
  const own = registeredTopics(identity, []);
  if (own.some((topic) => subscriptions.has(topic))) return;
  const isSilent = session.subscribedBy === 'nobody' && subscriptions.size === 0;
  if (isSilent) session.subscribedBy = 'registration';
  for (const topic of isSilent ? registeredTopics(identity, identity.channels) : own) subscriptions.set(topic, 1);
  session.services.devices.requestWaiting(session);
}
