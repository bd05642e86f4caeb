/**
 * The contexts under which values are sealed with `SECRET_KEY`. A value opens only under the context of its own row, so
 * one that was copied to another row does not. A context never changes: stored values would not open any more.
 */
export const SEAL_CONTEXTS = {
  identityKey: (appId: string): string => `identity:${appId}`,
  formerIdentityKey: (appId: string): string => `former-identity:${appId}`,
  phoneKey: (phoneKeyId: string): string => `phone-key:${phoneKeyId}`,
  vendorCredentials: (appId: string, vendor: string): string => `vendor:${appId}:${vendor}`,
  webhookSecrets: (appId: string, webhookId: string): string => `webhook:${appId}:${webhookId}`,
} as const;
