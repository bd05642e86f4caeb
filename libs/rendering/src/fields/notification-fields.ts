import type { JsonObject, JsonValue, Notification, NotificationAction } from '@postrider/domain';

/** An object without the members that are not set. */
export function present(members: Record<string, JsonValue | undefined>): JsonObject {
  const object: JsonObject = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) object[name] = value;
  }
  return object;
}

const IMAGE_TYPE = /^(image|picture|photo|jpe?g|png|gif|webp|bmp)(\/|$)/i;
const IMAGE_PATH = /\.(jpe?g|png|gif|webp|bmp)$/i;

/** The notification's medium if it is a picture, by `mediaType`, or else by the ending of the link's path. */
export function imageUrl(notification: Notification | undefined): string | undefined {
  const { mediaType, mediaUrl } = notification ?? {};
  if (mediaUrl === undefined) return undefined;
  if (mediaType !== undefined) return IMAGE_TYPE.test(mediaType) ? mediaUrl : undefined;
  return URL.canParse(mediaUrl) && IMAGE_PATH.test(new URL(mediaUrl).pathname) ? mediaUrl : undefined;
}

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const WEB_SCHEMES = new Set(['http', 'https']);
const FOREGROUND = 4;

/** True if a link opens a screen of an application rather than a web page. */
export function isDeepLink(url: string): boolean {
  const scheme = SCHEME.exec(url)?.[1];
  return scheme !== undefined && !WEB_SCHEMES.has(scheme.toLowerCase());
}

/** An action as iOS needs it: a deep link runs only when the application opens. */
export function withForegroundFlag(action: NotificationAction): NotificationAction {
  if (action.url === undefined || !isDeepLink(action.url)) return action;
  return { ...action, options: (action.options ?? 0) | FOREGROUND };
}

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/**
 * FCM's and HMS's `light_settings` for `ledColor` (`#RGB`, `#RRGGBB` or `#AARRGGBB`). Both require the two durations.
 *
 * @returns undefined if the text is not a colour
 */
export function lightSettings(ledColor: string | undefined): JsonObject | undefined {
  if (ledColor === undefined || !HEX.test(ledColor)) return undefined;
  const digits = ledColor.slice(1);
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const argb = full.length === 6 ? `ff${full}` : full;
  const [alpha, red, green, blue] = [0, 2, 4, 6].map((at) => fraction(argb.slice(at, at + 2))) as [
    number,
    number,
    number,
    number,
  ];
  return { color: { alpha, red, green, blue }, light_on_duration: '1s', light_off_duration: '2s' };
}

function fraction(hex: string): number {
  return Math.round((parseInt(hex, 16) / 255) * 1_000) / 1_000;
}

const LABEL = /^[A-Za-z0-9\-_.~%]{1,50}$/;

/** A track id for a vendor's statistics: only if the vendor's alphabet allows it. It is in the data in any case. */
export function analyticsLabel(trackId: string | undefined): string | undefined {
  return trackId !== undefined && LABEL.test(trackId) ? trackId : undefined;
}
