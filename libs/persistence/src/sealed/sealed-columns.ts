/** A column that holds values sealed under `SECRET_KEY`. */
export interface SealedColumn {
  /** What it holds, in words for a person. */
  name: string;
  table: string;
  column: string;
  /** The primary key: its columns and their types. */
  key: readonly (readonly [column: string, type: string])[];
  /** The context that a row's value is sealed in. */
  contextOf(key: readonly string[]): string;
}

/** Every column whose values are sealed under `SECRET_KEY`. A new one belongs here, or it is lost when the key is changed. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    name: 'identity keys',
    table: 'applications',
    column: 'identity_key_sealed',
    key: [['app_id', 'text']],
    contextOf: ([appId]) => `identity:${appId}`,
  },
  {
    name: 'phone keys',
    table: 'phone_keys',
    column: 'sealed',
    key: [['phone_key_id', 'uuid']],
    contextOf: ([phoneKeyId]) => `phone-key:${phoneKeyId}`,
  },
  {
    name: 'vendor credentials',
    table: 'vendor_credentials',
    column: 'sealed',
    key: [
      ['app_id', 'text'],
      ['vendor', 'text'],
    ],
    contextOf: ([appId, vendor]) => `vendor:${appId}:${vendor}`,
  },
  {
    name: 'webhook secrets',
    table: 'webhooks',
    column: 'sealed',
    key: [
      ['app_id', 'text'],
      ['webhook_id', 'uuid'],
    ],
    contextOf: ([appId, webhookId]) => `webhook:${appId}:${webhookId}`,
  },
];
