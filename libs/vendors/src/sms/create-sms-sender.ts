import type { JsonObject } from '@postrider/domain';
import { HttpSmsSender } from './generic/http-sms.sender';
import { KavenegarSender } from './kavenegar/kavenegar.sender';
import type { SmsCredentials, SmsSender, SmsSenderOptions } from './sms-sender';
import { TwilioSender } from './twilio/twilio.sender';

/**
 * Makes the sender of one application's SMS credentials. Nothing is connected before the first SMS.
 *
 * @param stored as they are stored: `{ ...settings, ...secrets }`
 */
export function createSmsSender(stored: JsonObject, options: SmsSenderOptions): SmsSender {
  const credentials = stored as unknown as SmsCredentials;
  switch (credentials.provider) {
    case 'twilio':
      return new TwilioSender(credentials, options);
    case 'kavenegar':
      return new KavenegarSender(credentials, options);
    case 'http':
      return new HttpSmsSender(credentials, options);
  }
}
