import type { JsonObject } from '../json';
import type { RestApi } from '../rest/rest-api';

/** An installation as the service describes it; what else the device registered stands beside these. */
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
  /** Tells the tracker's statistics what the application did with it. @throws PostriderError */
  report(isOpened: boolean): Promise<void>;
}

/** Whose topics are meant. */
export interface TopicOwner {
  appId: string;
  userId: string;
  installationId: string;
  channels: readonly string[];
}

/** What a topic filter cannot hold inside a level (MQTT 5 §4.7.1). */
const WILDCARD = /[+#]/;

/**
 * What a device subscribes to. Its own topic brings whatever has no other, channels included, each message once. A user whose
 * name holds a wildcard has no topics of their own that MQTT lets anybody subscribe to: they get the public ones.
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
