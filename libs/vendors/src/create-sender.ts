import type { JsonObject, PushVendor } from '@postrider/domain';
import { type ApnsCredentials, ApnsSender } from './apns/apns.sender';
import type { FcmCredentials } from './fcm/fcm-access-token';
import { FcmSender } from './fcm/fcm.sender';
import { type HmsCredentials, HmsSender } from './hms/hms.sender';
import type { Sender, SenderOptions } from './sender';
import type { WebPushCredentials } from './webpush/vapid';
import { WebPushSender } from './webpush/web-push.sender';

/**
 * Makes the sender of one application's credentials at one vendor. Nothing is connected before the first send.
 *
 * @param credentials as they are stored: `{ ...settings, ...secrets }`
 */
export function createSender(vendor: PushVendor, credentials: JsonObject, options: SenderOptions): Sender {
  switch (vendor) {
    case 'fcm':
      return new FcmSender(credentials as unknown as FcmCredentials, options);
    case 'apns':
      return new ApnsSender(credentials as unknown as ApnsCredentials, options);
    case 'webpush':
      return new WebPushSender(credentials as unknown as WebPushCredentials, options);
    case 'hms':
      return new HmsSender(credentials as unknown as HmsCredentials, options);
  }
}
