/** A VAPID key pair (RFC 8292), base64url, and whom a push service may write to about it. */
export type WebPushCredentials = {
  subject: string;
  publicKey: string;
  privateKey: string;
};
