/** What a Firebase service account and the project's endpoint come down to. */
export type FcmCredentials = {
  projectId: string;
  clientEmail: string;
  tokenUri: string;
  /** Base address of the send API. */
  endpoint: string;
  /** PEM, RSA. */
  privateKey: string;
};
