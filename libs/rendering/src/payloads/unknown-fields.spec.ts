import { type JsonObject, type JsonValue, PUSH_VENDORS, type VendorPayload } from '@postrider/domain';
import { createRenderer } from '../create-renderer';
import type { Platform } from '../renderable';
import { sampleMessage, SHOP } from '../testing/samples';

/** Every name that a field of ours has, in any payload, and some that no field has. */
const NAMES = [
  ...[
    'id',
    'mid',
    'messageId',
    'content',
    'data',
    'channel',
    'trackId',
    'clientId',
    'alertText',
    'createdAt',
    'expireAt',
  ],
  ...[
    'silent',
    'useAsAlert',
    'inApp',
    'live',
    'autoNotify',
    'contentAvailable',
    'mutableContent',
    'notification',
    'aps',
  ],
  ...[
    'title',
    'body',
    'groupId',
    'icon',
    'sound',
    'clickUrl',
    'ledColor',
    'smallIcon',
    'actions',
    'mediaType',
    'mediaUrl',
  ],
  ...[
    'category',
    'notifDelivery',
    'm',
    'android',
    'apns',
    'webpush',
    'token',
    'extra',
    'url',
    'options',
    'text',
    'fancy',
  ],
];
const FORGED = Object.fromEntries(NAMES.map((name) => [name, 'F!']));
const PLATFORMS: readonly Platform[] = ['android', 'ios', 'web'];

/** Removes everything under `extra`, also in texts that are JSON. */
function withoutExtra(value: JsonValue): JsonValue {
  if (typeof value === 'string') return /^[[{]/.test(value) ? withoutExtra(JSON.parse(value) as JsonValue) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutExtra);
  const members = Object.entries(value).filter(([name]) => name !== 'extra');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutExtra(member)]));
}

function bodyOf(payload: VendorPayload): JsonObject {
  return 'body' in payload ? payload.body : payload.message;
}

describe('fields that nobody knows', () => {
  const notification = { title: 'Sale', actions: [{ id: 'buy', title: 'Buy' }] };
  const [action] = notification.actions;
  const forgeries = [
    { extra: FORGED, notification },
    { notification: { ...notification, extra: FORGED } },
    { notification: { ...notification, actions: [{ ...action, extra: FORGED }] } },
  ];

  const ways = PLATFORMS.flatMap((platform) => [...PUSH_VENDORS, null].map((vendor) => [vendor, platform] as const));

  it.each(ways)(
    'reach the device of vendor %s on %s and never replace or pose as fields of ours',
    (vendor, platform) => {
      for (const flags of [{}, { silent: true }, { autoNotify: true, useAsAlert: true }]) {
        const made = (content: object): JsonObject => {
          const renderer = createRenderer(sampleMessage({ ...flags, ...content }), SHOP);
          return vendor === null
            ? renderer.connectionPayload({ deviceType: platform })
            : bodyOf(renderer.payloadFor(vendor, { deviceType: platform }));
        };
        for (const forgery of forgeries) {
          expect(withoutExtra(made(forgery))).toEqual(withoutExtra(made({ notification })));
          if (!('silent' in flags)) expect(JSON.stringify(made(forgery))).toContain('F!');
        }
      }
    },
  );
});
