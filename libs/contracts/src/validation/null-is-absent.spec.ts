import { InvalidRequest } from '@postrider/domain';
import { NewTokenRequest } from '../admin/access-tokens';
import { ChannelMembersRequest } from '../channels/channel.request';
import { AttributesRequest, IncrementRequest } from '../devices/attributes.request';
import { DeviceEventsRequest } from '../devices/device-events.request';
import { RegistrationRequest } from '../devices/registration.request';
import { UserInfoRequest } from '../devices/user-info.request';
import { DeviceTokenRequest } from '../devices/vendor-token.request';
import { NewCampaignRequest } from '../messages/campaigns';
import { readPreview, readSend, readSendElement } from '../messages/read-send';
import { CountGroupRequest, ExplainGroupRequest, SegmentRequest } from '../segments/segment.request';
import { TagsRequest, ValueTagRequest } from '../tags/tags.request';
import { readRequest } from './read-request';
import { DeferredLinkRequest, NewTrackerRequest } from '../trackers/tracker.request';
import { NewWebhookRequest, WebhookChangeRequest } from '../webhooks/webhooks.request';

const MOST_USERS = 10;
const MESSAGE = {
  channel: 'sport',
  content: 'x',
  data: { deep: null, list: [null] },
  trackId: 't',
  inApp: false,
  autoNotify: true,
  live: false,
  useAsAlert: 1,
  alertText: 'a',
  ttl: 60,
  silent: false,
  trackLinks: true,
  isTest: true,
  rate: 5,
  sendAt: '2026-11-22T09:00:00',
  localTime: true,
  ignoreQuietHours: true,
  fancy: { own: null },
  notification: {
    title: 't',
    body: 'b',
    groupId: 'g',
    icon: 'i',
    sound: 's',
    clickUrl: 'shop://x',
    ledColor: '#fff',
    smallIcon: 'i',
    mediaType: 'image',
    mediaUrl: 'https://x.example/x.png',
    contentAvailable: true,
    mutableContent: 1,
    category: 'c',
    vibrate: [1],
    actions: [{ id: 'a', title: 't', options: 1, icon: 'i', url: 'https://x.example', action: 'x' }],
  },
};
const NAMED = {
  ...MESSAGE,
  clientId: 'c',
  fallback: { content: 'f', media: 'sms', delay: 1, policy: 'NOTIFICATION_SHOWN' },
};
const RULES = {
  target: { deviceType: 'ios' },
  segment: {
    all: [
      {
        any: [{ name: 'tags', operator: 'include', value: ['a'] }],
        none: [{ name: 'x', operator: 'equal_to', value: 1 }],
      },
    ],
    any: [{ name: 'x', operator: 'equal_to', value: 1 }],
    none: [{ name: 'x', operator: 'equal_to', value: 1 }],
  },
};
/** Places with the caller's own data, required fields, or fields that null removes. */
const OWN = /^platforms$|(^|\.)(data\.|fancy\.|target\.|attributes\.\w+$|segment\.(.*\.)?(name|operator|value)$)/;

const READERS: [name: string, read: (body: unknown) => unknown, sample: object][] = [
  ['toUsers', (body) => readSend(body, 'named', MOST_USERS), { ...NAMED, user: 'ada' }],
  ['toUsers with several', (body) => readSend(body, 'named', MOST_USERS), { ...NAMED, users: ['ada'] }],
  ['an array', (body) => readSendElement(body, 0, 'named'), { ...NAMED, user: 'ada' }],
  ['byQuery', (body) => readSend(body, 'rules', MOST_USERS), { ...MESSAGE, ...RULES }],
  ['notifyUsers', (body) => readSend(body, 'either', MOST_USERS), { ...MESSAGE, ...RULES }],
  ['preview', readPreview, { ...NAMED, users: ['ada'] }],
  ['a segment', (body) => readRequest(SegmentRequest, body), { name: 'n', ...RULES }],
  ['a group to count', (body) => readRequest(CountGroupRequest, body), { ...RULES, channel: 'sport', users: true }],
  ['a group to explain', (body) => readRequest(ExplainGroupRequest, body), { ...RULES, userId: 'ada' }],
  [
    'a registration',
    (body) => readRequest(RegistrationRequest, body),
    {
      ...{
        appId: 'shop',
        userId: 'ada',
        userHash: 'h',
        deviceType: 'android',
        deviceToken: 't',
        tokenStatus: 'ALLOWED',
      },
      ...{ pushType: 'fcm', osVersion: '9', browserVersion: '1', clientVersion: '2', appVersion: '3', launchCount: 1 },
      ...{ launchTime: 1, installDate: 1, subscriptions: ['a'], timeZone: 'Asia/Tehran', locale: 'fa', realtime: true },
      ...{ location: { lat: 1, lng: 2 }, isGuest: true, uniqueId: 'u', protected: true, deviceModel: 'm' },
    },
  ],
  [
    'a vendor token',
    (body) => readRequest(DeviceTokenRequest, body),
    { installationId: 'i', userId: 'u', deviceType: 'ios', deviceToken: 't' },
  ],
  [
    'user info',
    (body) => readRequest(UserInfoRequest, body),
    {
      installationId: 'i',
      data: { age: null },
      __meta: { keys: { born: { type: 'date', operation: 'addToArray', value: 1 } } },
    },
  ],
  ['attributes', (body) => readRequest(AttributesRequest, body), { userId: 'u', attributes: { age: 1 } }],
  [
    'increments',
    (body) => readRequest(IncrementRequest, body),
    { installationId: 'i', attributes: [{ attribute: 'a', value: 1 }] },
  ],
  ['members', (body) => readRequest(ChannelMembersRequest, body), { users: ['a'], installations: ['i'] }],
  [
    'events',
    (body) => readRequest(DeviceEventsRequest, body),
    {
      ...{ installationId: 'i', userId: 'u', deviceType: 'web', createdAt: 5 },
      eventData: [
        { type: 1, actionType: 'SHOWN', msgId: 'm', trackId: 't', actionTs: 1, actionId: 'a' },
        { type: 2, eventName: 'n', data: { value: 1 }, createdAt: 1 },
        { type: 3, link: 'l', actionTs: 1, msgId: 'm', trackId: 't' },
      ],
    },
  ],
  ['tags', (body) => readRequest(TagsRequest, body), { userId: 'u', tags: ['a'], installationId: 'i', userHash: 'h' }],
  ['a tag with a value', (body) => readRequest(ValueTagRequest, body), { userId: 'u', tag: 't', value: 'v' }],
  ['a campaign', (body) => readRequest(NewCampaignRequest, body), { trackId: 't', name: 'n' }],
  ['a token', (body) => readRequest(NewTokenRequest, body), { name: 'n', scopes: ['send'] }],
  ['a decision on a link', (body) => readRequest(DeferredLinkRequest, body), { installationId: 'i', opened: true }],
  [
    'a webhook',
    (body) => readRequest(NewWebhookRequest, body),
    { url: 'u', events: ['message.accepted'], secret: 's', isEnabled: true },
  ],
  [
    'a change of a webhook',
    (body) => readRequest(WebhookChangeRequest, body),
    { url: 'u', events: [], secret: 's', isEnabled: true },
  ],
  [
    'a tracker',
    (body) => readRequest(NewTrackerRequest, body),
    { name: 'n', platforms: { ios: 'https://x.example', web: 'https://x.example' } },
  ],
];

/** The paths of all members of an object. */
function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value).map(([name, member]) => [`${path}${name}`, member] as const);
  return members.flatMap(([name, member]) => [...(Array.isArray(value) ? [] : [name]), ...pathsOf(member, `${name}.`)]);
}

function changed(value: object, path: string, change: (holder: Record<string, unknown>, name: string) => void): object {
  const copy = structuredClone(value);
  const names = path.split('.');
  const last = names.pop() as string;
  change(
    names.reduce((holder, name) => holder[name] as Record<string, unknown>, copy as Record<string, unknown>),
    last,
  );
  return copy;
}

function outcomeOf(read: (body: unknown) => unknown, body: object): string {
  try {
    return JSON.stringify(read(body));
  } catch (error) {
    if (error instanceof InvalidRequest) return JSON.stringify(error.options.details);
    throw error;
  }
}

describe('null', () => {
  it.each(READERS)('in %s says what leaving the field out says', (_, read, sample) => {
    const paths = pathsOf(sample).filter((path) => !OWN.test(path));
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const absent = outcomeOf(
        read,
        changed(sample, path, (holder, name) => Reflect.deleteProperty(holder, name)),
      );
      expect([
        path,
        outcomeOf(
          read,
          changed(sample, path, (holder, name) => (holder[name] = null)),
        ),
      ]).toEqual([path, absent]);
    }
  });

  it('inside data, and inside what nobody knows, is kept', () => {
    const { message } = readSend(
      { user: 'ada', content: 'x', data: { a: null }, fancy: { b: null } },
      'named',
      MOST_USERS,
    );
    expect(message?.content).toMatchObject({ data: { a: null }, extra: { fancy: { b: null } } });
  });
});
