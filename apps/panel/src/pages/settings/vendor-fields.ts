import { isJsonObject, parseJsonObject } from '@postrider/domain';
import type { VendorCredentials } from '@postrider/server/document';

/** One field of a vendor's credentials, as the admin API takes it. */
export interface VendorField {
  name: string;
  label: string;
  description?: string;
  kind: 'text' | 'secret' | 'multiline' | 'json' | 'choice';
  choices?: readonly { value: string; label: string }[];
  isOptional?: boolean;
  /** Shown when another field has this value. */
  when?: { name: string; value: string };
  /** The types of files from which it may be read. */
  accept?: string;
  initial?: string;
}

/** A vendor that the panel can connect. */
export interface VendorPlan {
  vendor: 'fcm' | 'apns' | 'hms' | 'webpush' | 'sms';
  name: string;
  /** What it is for. */
  purpose: string;
  /** Where to find the credentials. */
  where: string;
  fields: readonly VendorField[];
}

const endpoint: VendorField = {
  name: 'endpoint',
  label: 'Other address',
  description: 'Only for a proxy or a simulator. If empty, the vendor’s own address',
  kind: 'text',
  isOptional: true,
};

const fileEndpoint: VendorField = {
  ...endpoint,
  description:
    'Only for a proxy or a simulator. If empty, the vendor’s own address. For the simulator of npm start choose its file .data/simulator/credentials.json above',
};

/** All of them, in the order in which they are shown. */
export const VENDOR_PLANS: readonly VendorPlan[] = [
  {
    vendor: 'fcm',
    name: 'Firebase (FCM)',
    purpose: 'Reaches Android',
    where:
      'Firebase console → Project settings → Service accounts → Generate new private key. Paste or choose that file.',
    fields: [
      {
        name: 'serviceAccount',
        label: 'Service account',
        description: 'The complete JSON file',
        kind: 'json',
        accept: '.json,application/json',
      },
      fileEndpoint,
    ],
  },
  {
    vendor: 'apns',
    name: 'Apple (APNs)',
    purpose: 'Reaches iPhone, iPad and Mac',
    where: 'Apple developer account → Certificates, Identifiers & Profiles → Keys: a key with the push service (.p8).',
    fields: [
      { name: 'keyId', label: 'Key id', description: 'Ten characters, shown with the key', kind: 'text' },
      { name: 'teamId', label: 'Team id', description: 'Ten characters, at the top of your account', kind: 'text' },
      { name: 'topic', label: 'Topic', description: 'The bundle id of the app', kind: 'text' },
      {
        name: 'environment',
        label: 'Environment',
        kind: 'choice',
        initial: 'production',
        choices: [
          { value: 'production', label: 'Production: App Store and TestFlight' },
          { value: 'sandbox', label: 'Sandbox: builds from Xcode' },
        ],
      },
      {
        name: 'privateKey',
        label: 'Private key',
        description: 'The .p8 file',
        kind: 'multiline',
        accept: '.p8,.pem,.json',
      },
      fileEndpoint,
      {
        name: 'ca',
        label: 'Authority of the other address',
        description: 'A certificate (PEM), if the address above is not Apple’s',
        kind: 'multiline',
        isOptional: true,
      },
    ],
  },
  {
    vendor: 'hms',
    name: 'Huawei (HMS)',
    purpose: 'Reaches Huawei phones without Google services',
    where: 'AppGallery Connect → Project settings → General information → App information.',
    fields: [
      { name: 'appId', label: 'App id', kind: 'text' },
      { name: 'clientSecret', label: 'Client secret', kind: 'secret' },
      endpoint,
      {
        name: 'tokenEndpoint',
        label: 'Other address for access tokens',
        description: 'Only with another address',
        kind: 'text',
        isOptional: true,
      },
    ],
  },
  {
    vendor: 'webpush',
    name: 'Web Push',
    purpose: 'Reaches browsers',
    where:
      'Needs no account. If the keys are empty, Postrider creates a key pair. Your page subscribes with the public key.',
    fields: [
      {
        name: 'subject',
        label: 'Contact',
        description: 'mailto: or https:, so that push services can contact you',
        kind: 'text',
        initial: 'mailto:',
      },
      { name: 'publicKey', label: 'Public key (VAPID)', kind: 'text', isOptional: true },
      { name: 'privateKey', label: 'Private key (VAPID)', kind: 'secret', isOptional: true },
    ],
  },
  {
    vendor: 'sms',
    name: 'SMS',
    purpose: 'Sends the fallback SMS of messages that no device confirmed in time',
    where: 'The account of your SMS provider, or any provider with an HTTP interface.',
    fields: [
      {
        name: 'provider',
        label: 'Provider',
        kind: 'choice',
        initial: 'twilio',
        choices: [
          { value: 'twilio', label: 'Twilio' },
          { value: 'kavenegar', label: 'Kavenegar' },
          { value: 'http', label: 'Another, over HTTP' },
        ],
      },
      ...forProvider('twilio', [
        { name: 'accountSid', label: 'Account SID', kind: 'text' },
        { name: 'authToken', label: 'Auth token', kind: 'secret' },
        {
          name: 'from',
          label: 'From',
          description: 'A number. Leave it empty if you use a messaging service',
          kind: 'text',
          isOptional: true,
        },
        { name: 'messagingServiceSid', label: 'Messaging service', kind: 'text', isOptional: true },
        endpoint,
      ]),
      ...forProvider('kavenegar', [
        { name: 'apiKey', label: 'API key', kind: 'secret' },
        { name: 'sender', label: 'Sender', description: 'A line of your account', kind: 'text' },
        endpoint,
      ]),
      ...forProvider('http', [
        { ...endpoint, label: 'Address', description: 'The address that receives each SMS', isOptional: false },
        {
          name: 'body',
          label: 'Body',
          description: 'A Liquid template over to, text and id',
          kind: 'multiline',
          initial: '{"to":"{{ to }}","text":"{{ text }}"}',
        },
        { name: 'headers', label: 'Headers', description: 'A JSON object', kind: 'json', isOptional: true },
        {
          name: 'idPath',
          label: 'Place of the SMS id in the answer',
          description: 'For example data.id',
          kind: 'text',
          isOptional: true,
        },
      ]),
      {
        name: 'onUnknown',
        label: 'If it is not known whether an SMS was sent',
        description:
          'After a lost answer. With “Send it again” a user may get two SMS. With “Leave it” a user may get none',
        kind: 'choice',
        initial: 'leave',
        choices: [
          { value: 'leave', label: 'Leave it' },
          { value: 'resend', label: 'Send it again' },
        ],
      },
    ],
  },
];

function forProvider(value: string, fields: readonly VendorField[]): VendorField[] {
  return fields.map((field) => ({ ...field, when: { name: 'provider', value } }));
}

/** Returns the form's first values: the stored values that may be shown, else the usual ones. */
export function initialValues(plan: VendorPlan, stored: Record<string, unknown> | undefined): Record<string, string> {
  const initial: Record<string, string> = {};
  for (const { name, kind, initial: usual } of plan.fields) {
    const known = stored?.[name];
    if (typeof known === 'string' && kind !== 'secret') initial[name] = known;
    else initial[name] ??= usual ?? '';
  }
  return initial;
}

/** The fields that count with these values. */
export function shownFields(plan: VendorPlan, values: Record<string, string>): VendorField[] {
  return plan.fields.filter(({ when }) => when === undefined || values[when.name] === when.value);
}

/**
 * The fields that a file holds which is more than one field: all credentials of a vendor, or of several under their names.
 *
 * @returns null: the text is what one field takes
 */
export function fieldsIn(plan: VendorPlan, text: string): Record<string, string> | null {
  const whole = parseJsonObject(text);
  const own = whole?.[plan.vendor] ?? whole;
  if (!isJsonObject(own)) return null;
  const found = plan.fields.flatMap(({ name, kind }): [string, string][] => {
    const value = own[name];
    if (typeof value === 'string') return [[name, value]];
    return kind === 'json' && isJsonObject(value) ? [[name, JSON.stringify(value, null, 2)]] : [];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** The body that the admin API takes, of the fields that the plan names; and the fields that are no JSON. */
export function readFields(
  plan: VendorPlan,
  values: Record<string, string>,
): { body: VendorCredentials; problems: Record<string, string> } {
  const body: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const { name, kind } of shownFields(plan, values)) {
    const text = (values[name] ?? '').trim();
    if (text === '') continue;
    if (kind !== 'json') body[name] = text;
    else {
      try {
        body[name] = JSON.parse(text) as unknown;
      } catch {
        problems[name] = 'is not JSON. Use the complete file, from { to }';
      }
    }
  }
  return { body: body as VendorCredentials, problems };
}
