import { FieldReader, present } from './field-reader';
import type { ParsedCredentials } from './parse-credentials';

const APP_ID = { regex: /^[A-Za-z0-9_-]{1,100}$/, says: 'must be the app id that Huawei shows' };
const ENDPOINT = 'https://push-api.cloud.huawei.com';
const TOKEN_ENDPOINT = 'https://oauth-login.cloud.huawei.com';

/** `{ appId, clientSecret, endpoint?, tokenEndpoint? }` */
export function parseHmsCredentials(body: unknown, allowPlain: boolean): ParsedCredentials {
  const fields = new FieldReader(body);
  const settings = {
    appId: fields.text('appId', APP_ID),
    endpoint: fields.url('endpoint', { allowPlain, default: ENDPOINT }),
    tokenEndpoint: fields.url('tokenEndpoint', { allowPlain, default: TOKEN_ENDPOINT }),
  };
  const clientSecret = fields.text('clientSecret');
  fields.finish();
  return { settings: present(settings), secrets: { clientSecret } };
}
