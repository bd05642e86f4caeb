/** An AppGallery application's id and secret, and Huawei's two base addresses. */
export type HmsCredentials = {
  appId: string;
  endpoint: string;
  tokenEndpoint: string;
  clientSecret: string;
};
