import { BodyReader } from '../fields/body-reader';

/** The body of `POST /api/push/campaigns`. */
export interface NewCampaignRequest {
  trackId: string;
  name: string | null;
}

/** @throws InvalidRequest naming every bad field */
export function readNewCampaign(body: unknown): NewCampaignRequest {
  const fields = new BodyReader(body);
  const request = { trackId: fields.requiredName('trackId'), name: fields.name('name') };
  fields.finish();
  return request;
}
