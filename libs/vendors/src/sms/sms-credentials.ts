/** What becomes of an SMS of which nobody can say whether the provider took it: it is sent again, or left. */
export type OnUnknown = 'resend' | 'leave';

/** A Twilio account, and what its messages come from: a number or a messaging service. */
export type TwilioCredentials = {
  provider: 'twilio';
  accountSid: string;
  authToken: string;
  from?: string;
  messagingServiceSid?: string;
  endpoint: string;
  ca?: string;
};

/** A Kavenegar account and one of its lines. `statusSecret`: what its reports show to prove that they are its. */
export type KavenegarCredentials = {
  provider: 'kavenegar';
  apiKey: string;
  sender: string;
  endpoint: string;
  ca?: string;
  statusSecret: string;
};

/** A provider described by a template. What may hold a key (query, headers, body) is kept as a secret. */
export type HttpSmsCredentials = {
  provider: 'http';
  endpoint: string;
  query: string;
  method: 'POST' | 'PUT' | 'PATCH' | 'GET';
  headers: Record<string, string>;
  body: string;
  /** Statuses that mean it was taken; none: every 2xx. */
  successStatus: number[];
  /** Where the answer has the provider's id: `data.messages[0].id`. */
  idPath?: string;
  ca?: string;
  statusSecret: string;
};

/** Credentials of an SMS provider, as stored: `{ ...settings, ...secrets }`. */
export type SmsCredentials = (TwilioCredentials | KavenegarCredentials | HttpSmsCredentials) & {
  /** Left out: `leave`. */
  onUnknown?: OnUnknown;
};
