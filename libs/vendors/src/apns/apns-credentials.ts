/** A token signing key of an Apple developer team, and the application it sends to. */
export type ApnsCredentials = {
  keyId: string;
  teamId: string;
  /** The bundle id. */
  topic: string;
  environment: 'production' | 'sandbox';
  /** Base address, the vendor's by default. */
  endpoint: string;
  /** PEM of the only certificate authority to trust, for an endpoint of one's own. */
  ca?: string;
  /** PEM, EC P-256. */
  privateKey: string;
};

/** Where APNs takes requests. */
export const APNS_ENDPOINTS: Record<ApnsCredentials['environment'], string> = {
  production: 'https://api.push.apple.com',
  sandbox: 'https://api.sandbox.push.apple.com',
};
