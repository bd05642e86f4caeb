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
