import { LISTED_USERS, type PushVendor } from '@postrider/domain';
import {
  type FieldColumns,
  type FormatReading,
  listedUserOf,
  membersOf,
  pushFields,
  type SourceRecord,
  subscriptionOf,
  tokenIn,
} from './import-draft';

/** The names in a subscription for fields that have another name in a registration. */
export const WEB_PUSH_COLUMNS: FieldColumns = {
  deviceToken: ['subscription', 'pushSubscription', 'deviceToken', 'token', 'endpoint'],
  userId: LISTED_USERS,
};

/** A subscription of a browser (`PushSubscription.toJSON()`): bare, as text, or in a member beside its user. */
export function readWebPush(record: SourceRecord): FormatReading {
  const sent = sentSubscription(record);
  if ((sent ?? record.endpoint ?? '') === '') return { skipped: 'has no token' };
  const inner = membersOf(sent);
  const { endpoint, keys, userId } = 'endpoint' in inner ? inner : record;
  const subscription = subscriptionOf(endpoint, ...keysIn(record, keys));
  if (subscription === null)
    return { problem: 'is not a push subscription: it needs endpoint, keys.p256dh and keys.auth' };
  return {
    draft: {
      userId: listedUserOf(userIn(record) ?? userId ?? laravelUserIn(record)),
      fields: { deviceType: 'web', pushType: 'webpush', deviceToken: subscription },
      tags: {},
      attributes: {},
    },
  };
}

/** The columns of the two keys of a subscription: ours, and those of Laravel, of Ruby and of Mastodon. */
const KEY_COLUMNS = {
  p256dh: ['keys.p256dh', 'p256dh', 'public_key', 'p256dh_key', 'key_p256dh'],
  auth: ['keys.auth', 'auth', 'auth_token', 'auth_key', 'key_auth'],
} as const;

/** The keys of a subscription (`p256dh`, `auth`), or those of its columns in CSV. */
function keysIn(record: SourceRecord, keys: unknown): [p256dh: unknown, auth: unknown] {
  const inner = membersOf(keys);
  const keyOf = (name: 'p256dh' | 'auth'): unknown =>
    inner[name] ?? KEY_COLUMNS[name].map((column) => record[column]).find((key) => (key ?? '') !== '');
  return [keyOf('p256dh'), keyOf('auth')];
}

/** The owner of a row of Laravel's `push_subscriptions`, unless it is no user: a team may have the id of a user. */
function laravelUserIn({ subscribable_type: type, subscribable_id: id }: SourceRecord): unknown {
  return typeof type === 'string' && /(?:^|\\)user$/i.test(type) ? id : undefined;
}

function sentSubscription({ subscription, pushSubscription, deviceToken, token }: SourceRecord): unknown {
  return subscription ?? pushSubscription ?? deviceToken ?? token;
}

/** The user of a record, by the first of the names that it has. */
function userIn(record: SourceRecord): unknown {
  const name = LISTED_USERS.find((one) => (record[one] ?? '') !== '');
  return name === undefined ? undefined : record[name];
}

/** The names in a list of tokens for fields that have another name in a registration. */
export const TOKEN_COLUMNS: FieldColumns = { deviceToken: ['token', '1'], userId: [...LISTED_USERS, '2'] };

/**
 * A token, with or without its user. Without a push type, a mapping gives it: whether it does is checked afterwards. The
 * kind of device follows from the push type that the line has then.
 */
export function readTokens(record: SourceRecord, pushType: PushVendor | null): FormatReading {
  const read = tokenIn(record.token === undefined ? '1' : 'token', record.token ?? record['1']);
  if (!('token' in read)) return read;
  return {
    draft: {
      userId: listedUserOf(userIn(record) ?? record['2']),
      fields: pushType === null ? { deviceToken: read.token } : pushFields(pushType, read.token),
      tags: {},
      attributes: {},
    },
  };
}
