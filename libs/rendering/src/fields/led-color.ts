import type { JsonObject } from '@postrider/domain';

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/**
 * FCM's and HMS's `light_settings` for `ledColor` (`#RGB`, `#RRGGBB` or `#AARRGGBB`); both require the two durations.
 *
 * @returns undefined when the text is no color
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
