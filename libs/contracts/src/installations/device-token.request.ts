import { BodyReader } from '../fields/body-reader';
import { type DeviceToken, readDeviceToken } from './device-token';

/** How long a `userHash` may be. */
export const LONGEST_HASH = 1_024;

/** The body of `POST installations/updateDeviceToken`. */
export type DeviceTokenRequest = DeviceToken & { installationId: string; userId: string };

/** @throws InvalidRequest naming every bad field */
export function readDeviceTokenRequest(body: unknown): DeviceTokenRequest {
  const fields = new BodyReader(body);
  const deviceType = fields.text('deviceType', 64)?.toLowerCase() ?? null;
  fields.require('deviceToken');
  const request = {
    installationId: fields.requiredName('installationId'),
    userId: fields.requiredName('userId'),
    ...readDeviceToken(fields, deviceType),
  };
  fields.text('userHash', LONGEST_HASH);
  fields.finish();
  return request;
}
