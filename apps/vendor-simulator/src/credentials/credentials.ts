/** Credentials of every simulated vendor, each in the shape of the admin API's `PUT apps/:id/vendors/:vendor`. */
export interface SimulatorCredentials {
  fcm: {
    serviceAccount: { project_id: string; client_email: string; private_key: string; token_uri: string };
    endpoint: string;
  };
  apns: {
    keyId: string;
    teamId: string;
    privateKey: string;
    topic: string;
    environment: 'production';
    endpoint: string;
    ca: string;
  };
  hms: { appId: string; clientSecret: string; endpoint: string; tokenEndpoint: string };
  webpush: { subject: string; publicKey: string; privateKey: string };
  sms: { provider: 'twilio'; accountSid: string; authToken: string; from: string; endpoint: string };
  kavenegar: { provider: 'kavenegar'; apiKey: string; sender: string; endpoint: string };
}

/** The secrets behind the credentials: made once, the same over restarts and on any port. */
export interface SimulatorSecrets {
  fcmPrivateKey: string;
  apnsKeyId: string;
  apnsTeamId: string;
  apnsPrivateKey: string;
  hmsAppId: string;
  hmsClientSecret: string;
  vapidPublicKey: string;
  vapidPrivateKey: string;
  twilioAccountSid: string;
  twilioAuthToken: string;
  kavenegarApiKey: string;
  /** The seed from which Web Push subscriptions are derived. */
  subscriptionSeed: string;
}

export const FCM_PROJECT = 'demo';
export const FCM_CLIENT_EMAIL = 'postrider@demo.iam.gserviceaccount.com';
export const APNS_TOPIC = 'com.example.demo';

/** Puts the secrets into the admin API's shapes, with every address pointing at `origin`. */
export function credentialsAt(origin: string, secrets: SimulatorSecrets, ca: string): SimulatorCredentials {
  return {
    fcm: {
      serviceAccount: {
        project_id: FCM_PROJECT,
        client_email: FCM_CLIENT_EMAIL,
        private_key: secrets.fcmPrivateKey,
        token_uri: `${origin}/token`,
      },
      endpoint: origin,
    },
    apns: {
      keyId: secrets.apnsKeyId,
      teamId: secrets.apnsTeamId,
      privateKey: secrets.apnsPrivateKey,
      topic: APNS_TOPIC,
      environment: 'production',
      endpoint: origin,
      ca,
    },
    hms: { appId: secrets.hmsAppId, clientSecret: secrets.hmsClientSecret, endpoint: origin, tokenEndpoint: origin },
    webpush: {
      subject: 'mailto:push@example.com',
      publicKey: secrets.vapidPublicKey,
      privateKey: secrets.vapidPrivateKey,
    },
    sms: {
      provider: 'twilio',
      accountSid: secrets.twilioAccountSid,
      authToken: secrets.twilioAuthToken,
      from: '+15005550006',
      endpoint: origin,
    },
    kavenegar: { provider: 'kavenegar', apiKey: secrets.kavenegarApiKey, sender: '10004346', endpoint: origin },
  };
}
