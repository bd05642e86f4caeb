import { Optional, Rule } from '../validation/field';
import { IsOneOf, IsTextLike } from '../validation/fields';
import { CERTIFICATE, IsBaseAddress, IsCredential, IsHeaders, IsStatuses, IsWholeAddress } from './credential-fields';

const SMS_PROVIDERS = ['twilio', 'kavenegar', 'http'] as const;
const ON_UNKNOWN = ['leave', 'resend'] as const;
const METHODS = ['POST', 'PUT', 'PATCH', 'GET'] as const;
const VISIBLE = /^[\x21-\x7e]{1,500}$/;
const VISIBLE_SAYS = 'must be printable characters without blanks';
const SENDER = /^[\x20-\x7e]{1,50}$/;
const SENDER_SAYS = 'must be a number or a sender id';
const ID_PATH = /^(?:\$\.?)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+|\[\d{1,4}\])*$/;

/** The fields of the credentials of every SMS provider. */
abstract class SmsCredentials {
  @Optional()
  @IsOneOf(ON_UNKNOWN, {
    description:
      'what happens to an SMS when it is unknown if the provider accepted it: it is not sent again (`leave`, the default) or ' +
      'sent again (`resend`)',
  })
  onUnknown?: (typeof ON_UNKNOWN)[number];
}

/** The fields of the credentials of a provider that does not sign its reports. */
abstract class UnsignedSmsCredentials extends SmsCredentials {
  @Optional()
  @IsTextLike(/^[A-Za-z0-9_-]{16,128}$/, 'must be 16 to 128 letters, digits, - or _', {
    description: "the secret that proves the provider's reports; generated when it is left out",
  })
  statusSecret?: string;
}

/** Credentials of an unknown provider: refused, at least for the provider. */
export class SmsProviderRequest extends SmsCredentials {
  @IsOneOf(SMS_PROVIDERS) provider!: string;
}

/** A Twilio account, and the sender of its messages: a number or a messaging service. */
export class TwilioCredentialsRequest extends SmsCredentials {
  @IsOneOf(['twilio']) provider!: 'twilio';
  @IsCredential(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hexadecimal digits') accountSid!: string;
  @IsCredential(VISIBLE, VISIBLE_SAYS) authToken!: string;

  @Optional()
  @IsCredential(SENDER, SENDER_SAYS)
  @Rule<TwilioCredentialsRequest>((_request, isSent) =>
    isSent('from') === isSent('messagingServiceSid') ? 'or messagingServiceSid is required, and not both' : null,
  )
  from?: string;

  @Optional() @IsCredential(/^MG[0-9a-fA-F]{32}$/, 'must be MG and 32 hexadecimal digits') messagingServiceSid?: string;

  @IsBaseAddress({ default: 'https://api.twilio.com' })
  endpoint!: string;

  @Optional() @IsCredential(undefined, undefined, CERTIFICATE) ca?: string;
}

/** A Kavenegar account and one of its lines. */
export class KavenegarCredentialsRequest extends UnsignedSmsCredentials {
  @IsOneOf(['kavenegar']) provider!: 'kavenegar';
  @IsCredential(VISIBLE, VISIBLE_SAYS) apiKey!: string;
  @IsCredential(SENDER, SENDER_SAYS) sender!: string;

  @IsBaseAddress({ default: 'https://api.kavenegar.com' })
  endpoint!: string;

  @Optional() @IsCredential(undefined, undefined, CERTIFICATE) ca?: string;
}

/** A provider described by a template. */
export class HttpSmsCredentialsRequest extends UnsignedSmsCredentials {
  @IsOneOf(['http']) provider!: 'http';
  @IsWholeAddress('the address, with its query') endpoint!: string;
  @IsOneOf(METHODS, { default: 'POST' }) method!: (typeof METHODS)[number];
  @Optional() @IsHeaders() headers?: Record<string, string>;
  @IsCredential(undefined, undefined, 'a Liquid template over `to`, `text` and `id`') body!: string;
  @Optional()
  @IsStatuses('the statuses that mean the SMS was accepted; the default is every 2xx')
  successStatus?: number[];

  @Optional()
  @IsCredential(ID_PATH, 'must be a path such as data.messages[0].id', "the path of the provider's id in the answer")
  idPath?: string;

  @Optional() @IsCredential(undefined, undefined, CERTIFICATE) ca?: string;
}
