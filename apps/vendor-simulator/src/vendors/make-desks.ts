import type { Clock } from '@postrider/domain';
import { APNS_TOPIC, FCM_CLIENT_EMAIL, FCM_PROJECT, type SimulatorSecrets } from '../credentials/credentials';
import type { Settings } from '../settings/settings';
import { AccessTokens } from './access-tokens';
import { ApnsDesk } from './apns/apns-desk';
import type { Desk } from './desk';
import { FcmDesk } from './fcm/fcm-desk';
import { GoogleTokenDesk } from './fcm/google-token-desk';
import { HmsDesk } from './hms/hms-desk';
import { HuaweiTokenDesk } from './hms/huawei-token-desk';
import { HttpSmsDesk } from './sms/http-sms-desk';
import { KavenegarDesk } from './sms/kavenegar-desk';
import { TwilioDesk } from './sms/twilio-desk';
import type { Subscriptions } from './webpush/subscriptions';
import { WebPushDesk } from './webpush/webpush-desk';

/** Everything that the desks are made from. */
export interface DeskParts {
  secrets: SimulatorSecrets;
  subscriptions: Subscriptions;
  settings: Settings;
  clock: Clock;
}

/** Makes one desk per vendor, the busiest first. */
export function makeDesks({ secrets, subscriptions, settings, clock }: DeskParts): Desk[] {
  const googleTokens = new AccessTokens('ya29.', clock);
  const huaweiTokens = new AccessTokens('', clock);
  const providerKey = {
    keyId: secrets.apnsKeyId,
    teamId: secrets.apnsTeamId,
    privateKey: secrets.apnsPrivateKey,
  };
  return [
    new FcmDesk(FCM_PROJECT, googleTokens),
    new ApnsDesk(providerKey, APNS_TOPIC, clock),
    new WebPushDesk(subscriptions, clock),
    new HmsDesk(secrets.hmsAppId, huaweiTokens),
    new TwilioDesk(secrets.twilioAccountSid, secrets.twilioAuthToken),
    new KavenegarDesk(secrets.kavenegarApiKey),
    new HttpSmsDesk(),
    new GoogleTokenDesk(FCM_CLIENT_EMAIL, secrets.fcmPrivateKey, googleTokens, settings, clock),
    new HuaweiTokenDesk(secrets.hmsAppId, secrets.hmsClientSecret, huaweiTokens, settings),
  ];
}
