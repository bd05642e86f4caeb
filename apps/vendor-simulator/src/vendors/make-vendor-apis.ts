import type { Clock } from '@postrider/domain';
import { APNS_TOPIC, FCM_CLIENT_EMAIL, FCM_PROJECT, type SimulatorSecrets } from '../credentials/credentials';
import type { Settings } from '../settings/settings';
import { AccessTokens } from './access-tokens';
import { ApnsApi } from './apns/apns-api';
import type { VendorApi } from './vendor-api';
import { FcmApi } from './fcm/fcm-api';
import { GoogleTokenApi } from './fcm/google-token-api';
import { HmsApi } from './hms/hms-api';
import { HuaweiTokenApi } from './hms/huawei-token-api';
import { HttpSmsApi } from './sms/http-sms-api';
import { KavenegarApi } from './sms/kavenegar-api';
import { TwilioApi } from './sms/twilio-api';
import type { Subscriptions } from './webpush/subscriptions';
import { WebPushApi } from './webpush/webpush-api';

/** Everything that the vendor APIs are made from. */
interface VendorApiParts {
  secrets: SimulatorSecrets;
  subscriptions: Subscriptions;
  settings: Settings;
  clock: Clock;
}

/** Makes one vendor API per vendor, the busiest first. */
export function makeVendorApis({ secrets, subscriptions, settings, clock }: VendorApiParts): VendorApi[] {
  const googleTokens = new AccessTokens('ya29.', clock);
  const huaweiTokens = new AccessTokens('', clock);
  const providerKey = {
    keyId: secrets.apnsKeyId,
    teamId: secrets.apnsTeamId,
    privateKey: secrets.apnsPrivateKey,
  };
  return [
    new FcmApi(FCM_PROJECT, googleTokens),
    new ApnsApi(providerKey, APNS_TOPIC, clock),
    new WebPushApi(subscriptions, clock),
    new HmsApi(secrets.hmsAppId, huaweiTokens),
    new TwilioApi(secrets.twilioAccountSid, secrets.twilioAuthToken),
    new KavenegarApi(secrets.kavenegarApiKey),
    new HttpSmsApi(),
    new GoogleTokenApi(FCM_CLIENT_EMAIL, secrets.fcmPrivateKey, googleTokens, settings, clock),
    new HuaweiTokenApi(secrets.hmsAppId, secrets.hmsClientSecret, huaweiTokens, settings),
  ];
}
