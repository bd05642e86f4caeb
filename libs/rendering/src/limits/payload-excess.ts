import { editionsOf, type JsonValue, type MessageContent, type PushVendor } from '@postrider/domain';
import { createRenderer } from '../create-renderer';
import type { TrackedContent } from '../links/tracked-link';
import { messageOfEdition } from '../per-edition';
import type { Platform, RenderableApplication, RenderableMessage } from '../renderable';
import { isTemplate } from '../templates/plain-template';
import { VENDOR_LIMITS } from '../payloads/payload-size';

/** A variant of a message's payload that its vendor would refuse. */
export interface PayloadExcess {
  vendor: PushVendor;
  platform: Platform;
  /** The edition that is too big. Null: the default. */
  language: string | null;
  /** The same for the variant. Left out: none. */
  variant?: string;
  bytes: number;
  limit: number;
}

/** The platforms for which the payload of a vendor differs. Other vendors have one payload for every device. */
const VARIANTS: readonly [PushVendor, readonly Platform[]][] = [
  ['fcm', ['android', 'ios', 'web']],
  ['apns', ['ios']],
  ['hms', ['android']],
  ['webpush', ['web']],
];
/** The bytes of a payload beside texts of the message and the application: names, ids, times, a channel's name. */
const FRAME_BYTES = 700;
const SMALLEST_LIMIT = Math.min(...Object.values(VENDOR_LIMITS));
/** Any id: a tracked link's length does not depend on the installation. */
const ANY_INSTALLATION = '00000000-0000-0000-0000-000000000000';

/**
 * The variants of a message's payload that are bigger than their vendor allows, in every edition, for any recipient, as
 * they will be sent: with tracked links, the application's texts, and what `autoNotify` repeats. For a personal message
 * it only finds payloads that are too big for everybody: the payload of each device is measured when it is made.
 *
 * @param trackOf returns what makes the links of each device different, for an edition; null if they do not differ
 */
export function payloadExcesses(
  message: RenderableMessage,
  application: RenderableApplication,
  trackOf: (message: RenderableMessage) => TrackedContent | null,
): PayloadExcess[] {
  return editionsOf(message.content).flatMap((edition) => {
    const own = messageOfEdition(message, edition);
    return excessesOf(own, application, trackOf(own)).map((excess) => ({ ...excess, ...edition }));
  });
}

function excessesOf(
  message: RenderableMessage,
  application: RenderableApplication,
  track: TrackedContent | null,
): Omit<PayloadExcess, 'language'>[] {
  if (track === null && isSurelySmall(message.content, application)) return [];
  const least = leastContent(message.content);
  const content = track === null ? least : track(least, ANY_INSTALLATION);
  const renderer = createRenderer({ ...message, content }, application);
  return VARIANTS.flatMap(([vendor, platforms]) =>
    platforms.flatMap((platform) => {
      const [bytes, limit] = [renderer.measure(vendor, platform), VENDOR_LIMITS[vendor]];
      return bytes > limit ? [{ vendor, platform, bytes, limit }] : [];
    }),
  );
}

/**
 * True if no variant can come near a limit, so that most messages need not be rendered. The largest payload is
 * Huawei's: the whole message as text within JSON, where each byte may become two, and the notification a second time
 * if the system shows it.
 */
export function isSurelySmall(content: MessageContent, { name, defaultAlertText }: RenderableApplication): boolean {
  const own = jsonBytes(content);
  const repeated = content.useAsAlert || content.alertText !== undefined ? own : 0;
  const shown = own + repeated + jsonBytes(name) + jsonBytes(defaultAlertText) + FRAME_BYTES;
  return 2 * shown + (content.autoNotify ? shown : 0) <= SMALLEST_LIMIT;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** A text that no text of the application replaces. */
const SHORTEST = '.';

/**
 * The content with every template at its shortest. What is too big like this is too big for everybody. The rest shows
 * when it is rendered.
 */
export function leastContent(fields: MessageContent): MessageContent {
  const { content, alertText, data, notification } = fields;
  return {
    ...fields,
    ...given('content', least(content)),
    ...given('alertText', least(alertText, SHORTEST)),
    ...given('data', leastJson(data)),
    ...given(
      'notification',
      notification && {
        ...notification,
        ...given('title', least(notification.title, SHORTEST)),
        ...given('body', least(notification.body, SHORTEST)),
        ...given('clickUrl', least(notification.clickUrl)),
        ...given(
          'actions',
          notification.actions?.map((action) => ({ ...action, ...given('url', least(action.url)) })),
        ),
      },
    ),
  };
}

function least(text: string | undefined, shortest = ''): string | undefined {
  return text !== undefined && isTemplate(text) ? shortest : text;
}

function leastJson(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string') return least(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => leastJson(element) ?? null);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, leastJson(member) ?? null]));
}

/** A member that is left out if it is not set. */
function given<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}
