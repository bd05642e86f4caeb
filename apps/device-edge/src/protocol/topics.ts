import { type Channel, DEFAULT_CHANNELS, parseChannel } from '@postrider/domain';

/** The device that topics belong to, as its client id names it. */
export interface TopicOwner {
  appId: string;
  /** As the client spells it. */
  userText: string;
  installationId: string;
}

/** The meaning of a filter that a device may subscribe to. */
type SubscribedTo =
  | { kind: 'device' }
  | { kind: 'channel'; channel: Channel }
  /** Events of one name; of one installation, or of all. */
  | { kind: 'events'; name: string };

/** The meaning of a topic that a client may publish on. */
export type PublishedOn =
  { kind: 'send'; to: string; channel: string } | { kind: 'event'; name: string; isRepublished: boolean };

/**
 * Reads a filter by the table of topics in docs/connection.md. It is compared with the device's own names as text, so
 * that a user id may contain anything, also a slash.
 *
 * @returns null for a filter that is not in the table
 */
export function readFilter(filter: string, owner: TopicOwner): SubscribedTo | null {
  const { appId, userText, installationId } = owner;
  const ofUser = after(filter, `app/${appId}/user/`);
  if (ofUser !== null) {
    const publicChannel = after(ofUser, 'public/');
    if (publicChannel !== null) return channelOf(`public/${publicChannel}`);
    const own = after(ofUser, `${userText}/`);
    if (own === null) return null;
    return own === installationId ? { kind: 'device' } : channelOf(`private/${own}`);
  }
  const [, name] = /^([^/+#]+)\/\+$/.exec(after(filter, `app/${appId}/event/`) ?? '') ?? [];
  return name === undefined ? null : { kind: 'events', name };
}

/** The channels of filters, each once. The default channels are left out, because every device is a member of them. */
export function channelsOf(filters: Iterable<string>, owner: TopicOwner): Channel[] {
  const channels = new Set<Channel>();
  for (const filter of filters) {
    const to = readFilter(filter, owner);
    if (to?.kind === 'channel' && !DEFAULT_CHANNELS.includes(to.channel)) channels.add(to.channel);
  }
  return [...channels];
}

/** The topics of a registration: the device itself, the default channels, and the channels that it is a member of. */
export function registeredTopics(
  { appId, userText, installationId }: TopicOwner,
  channels: Iterable<Channel>,
): string[] {
  const base = `app/${appId}/user/`;
  const topics = [...DEFAULT_CHANNELS, ...channels].map((channel) => {
    const name = channel.slice(channel.indexOf('/') + 1);
    return channel.startsWith('public/') ? `${base}public/${name}` : `${base}${userText}/${name}`;
  });
  return [`${base}${userText}/${installationId}`, ...topics];
}

/** Reads a topic of a publish by the table. @returns null for a topic that is not in it */
export function readTopic(topic: string, { appId, installationId }: TopicOwner): PublishedOn | null {
  const sending = after(topic, `app/${appId}/publish/`);
  if (sending !== null) {
    // A channel may be written `private/alerts`, and contains no other slash. A user id may contain slashes.
    const [, to, channel] = /^(.+?)\/((?:(?:public|private)\/)?[^/]+)$/s.exec(sending) ?? [];
    // `*` is not a user: a message to everybody uses `public`.
    return to === undefined || to === '*' || channel === undefined ? null : { kind: 'send', to, channel };
  }
  const [, kind, name, device] = /^(event|track)\/([^/+#]+)\/([^/]+)$/.exec(after(topic, `app/${appId}/`) ?? '') ?? [];
  if (name === undefined || device !== installationId) return null;
  return { kind: 'event', name, isRepublished: kind === 'event' };
}

/** The topic of an event for its subscribers. */
export function eventTopic(appId: string, name: string, installationId: string): string {
  return `app/${appId}/event/${name}/${installationId}`;
}

/** The fields that decide the topic of a message. */
interface TopicalMessage {
  channel: string;
  isToNamedUsers: boolean;
}

/**
 * The topics on which a message may be published, the best one first: the topic of its channel, then the device's own.
 * On the default channel a message to named users is private, and a message to everybody is public; each may replace
 * the other.
 */
function topicsOf(message: TopicalMessage, { appId, userText, installationId }: TopicOwner): string[] {
  const base = `app/${appId}/user/`;
  const own = `${base}${userText}/${installationId}`;
  const name = message.channel.slice(message.channel.indexOf('/') + 1);
  const publicTopic = `${base}public/${name}`;
  const privateTopic = `${base}${userText}/${name}`;
  if (DEFAULT_CHANNELS.includes(message.channel as Channel)) {
    return message.isToNamedUsers || message.channel.startsWith('private/')
      ? [privateTopic, own, publicTopic]
      : [publicTopic, privateTopic, own];
  }
  return [message.channel.startsWith('public/') ? publicTopic : privateTopic, own];
}

/**
 * The topic and QoS with which a device gets a message: the best topic that it subscribed to. Null: it subscribed to
 * none of them.
 */
export function topicFor(
  message: TopicalMessage,
  owner: TopicOwner,
  subscriptions: ReadonlyMap<string, 0 | 1>,
): { topic: string; qos: 0 | 1 } | null {
  for (const topic of topicsOf(message, owner)) {
    const qos = subscriptions.get(topic);
    if (qos !== undefined) return { topic, qos };
  }
  return null;
}

function channelOf(text: string): SubscribedTo | null {
  const channel = parseChannel(text);
  return channel === null ? null : { kind: 'channel', channel };
}

function after(text: string, beginning: string): string | null {
  return text.startsWith(beginning) ? text.slice(beginning.length) : null;
}
