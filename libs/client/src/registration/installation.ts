import type { JsonObject } from '../json';
import type { RestApi } from '../rest/rest-api';

/** An installation as the service describes it; other registered fields are beside these. */
export interface Installation extends JsonObject {
  id: string;
  userId: string;
  tags: string[];
  /** Memberships beside the default channels, as `public/<name>` or `private/<name>`. */
  subscriptions: string[];
}

/** A link that was clicked before the application was there. It is handed over once. */
export interface DeferredDeepLink {
  link: string;
  /** Reports to the tracker's statistics what the application did with the link. @throws PostriderError */
  report(isOpened: boolean): Promise<void>;
}

/** Whose topics are meant. */
export interface TopicOwner {
  appId: string;
  userId: string;
  installationId: string;
  channels: readonly string[];
}

/** Characters that a topic filter cannot hold inside a level (MQTT 5 §4.7.1). */
const WILDCARD = /[+#]/;

/**
 * Returns the topics that a device subscribes to. Its own topic brings every message that has no other topic, channels
 * included, each message once. For a user whose name holds a wildcard, MQTT allows no subscription to topics of their
 * own: they get the public ones.
 */
export function topicsOf({ appId, userId, installationId, channels }: TopicOwner): string[] {
  const base = `app/${appId}/user`;
  if (!WILDCARD.test(userId)) return [`${base}/${userId}/default`, `${base}/${userId}/${installationId}`];
  return ['public/default', ...channels].filter((name) => name.startsWith('public/')).map((name) => `${base}/${name}`);
}

/** The link that was clicked before the application was there, as a registration brought it; null: there is none. */
export function deferredDeepLinkOf(
  { id, deferredDeepLink: link }: Installation,
  api: RestApi,
): DeferredDeepLink | null {
  if (typeof link !== 'string') return null;
  return {
    link,
    report: async (opened) => {
      await api.call('POST', 'installations/deferredDeepLink', { body: { installationId: id, opened } });
    },
  };
}
