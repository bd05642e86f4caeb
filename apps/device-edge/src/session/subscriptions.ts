import type { OutgoingMessage } from './outgoing-delivery';
import { type TopicOwner, topicsOf } from '../protocol/topics';

/** What a device subscribed to: topic or filter → granted QoS. */
export type Subscriptions = Map<string, 0 | 1>;

/** Where a message goes out for a device: the most fitting topic that it subscribed to. Null: to none. */
export function topicFor(
  message: OutgoingMessage,
  owner: TopicOwner,
  subscriptions: ReadonlyMap<string, 0 | 1>,
): { topic: string; qos: 0 | 1 } | null {
  for (const topic of topicsOf(message, owner)) {
    const qos = subscriptions.get(topic);
    if (qos !== undefined) return { topic, qos };
  }
  return null;
}
