import { APNS_ENDPOINTS } from '../apns/apns-credentials';
import { FieldReader, present } from './field-reader';
import type { ParsedCredentials } from './parse-credentials';
import { readPrivateKey } from './private-key';
import { readCertificates } from './read-certificates';

const APPLE_ID = { regex: /^[A-Za-z0-9]{1,64}$/, says: 'must be the letters and digits that Apple shows' };
const TOPIC = { regex: /^[A-Za-z0-9.-]{1,255}$/, says: 'must be a bundle id' };

/** `{ keyId, teamId, privateKey, topic, environment, endpoint?, ca? }` */
export function parseApnsCredentials(body: unknown, allowPlain: boolean): ParsedCredentials {
  const fields = new FieldReader(body);
  const environment = fields.oneOf('environment', ['production', 'sandbox']);
  const settings = {
    keyId: fields.text('keyId', APPLE_ID),
    teamId: fields.text('teamId', APPLE_ID),
    topic: fields.text('topic', TOPIC),
    environment,
    endpoint: fields.url('endpoint', { allowPlain, default: APNS_ENDPOINTS[environment] }),
    ca: readCertificates(fields),
  };
  const privateKey = readPrivateKey(fields, 'privateKey', 'P-256');
  fields.finish();
  return { settings: present(settings), secrets: { privateKey } };
}
