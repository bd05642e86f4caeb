import {
  type FormatReading,
  type ListedPushType,
  membersOf,
  type SourceRecord,
  subscriptionOf,
  textOf,
  tokenFields,
} from './import-draft';

/** A subscription of a browser (`PushSubscription.toJSON()`): bare, as text, or in a member beside its user. */
export function readWebPush(record: SourceRecord): FormatReading {
  const inner = membersOf(record.subscription ?? record.pushSubscription ?? record.deviceToken ?? record.token);
  const { endpoint, keys, userId } = 'endpoint' in inner ? inner : record;
  const { p256dh, auth } = membersOf(keys);
  const subscription = subscriptionOf(endpoint, p256dh ?? record.p256dh, auth ?? record.auth);
  if (subscription === null)
    return { problem: 'is no push subscription: it needs endpoint, keys.p256dh and keys.auth' };
  return {
    draft: {
      userId: textOf(record.userId ?? record.user_id ?? userId),
      fields: { deviceType: 'web', pushType: 'webpush', deviceToken: subscription },
      tags: {},
      attributes: {},
      at: null,
    },
  };
}

/** A token, with or without its user. */
export function readTokens(record: SourceRecord, pushType: ListedPushType | null): FormatReading {
  const token = textOf(record.token ?? record['1']);
  if (token === null) return { problem: 'token is missing' };
  if (pushType === null) return { problem: 'pushType is missing' };
  return {
    draft: {
      userId: textOf(record.userId ?? record.user_id ?? record['2']),
      fields: tokenFields(pushType, token),
      tags: {},
      attributes: {},
      at: null,
    },
  };
}
