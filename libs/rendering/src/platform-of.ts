import type { Platform } from './renderable';

const IOS = /^(ios|iphone|ipad|ipados|tvos|watchos|macos)/i;
const WEB = /^(web|chrome|firefox|safari|edge|opera)/i;

/** The platform whose payload a device gets, from the `deviceType` it registered with. Unknown ones are like Android. */
export function platformOf(deviceType: string | null): Platform {
  if (deviceType === null) return 'android';
  if (IOS.test(deviceType)) return 'ios';
  return WEB.test(deviceType) ? 'web' : 'android';
}
