import type { FcmCredentials } from '../fcm/fcm-credentials';
import { FieldReader, present } from './field-reader';
import type { ParsedCredentials } from './parse-credentials';
import { readPrivateKey } from './private-key';

const PROJECT = { regex: /^[A-Za-z0-9:._-]{1,255}$/, says: 'must be a project id' };
const EMAIL = { regex: /^[^\s@]+@[^\s@]+$/, says: 'must be an e-mail address' };
const ENDPOINT = 'https://fcm.googleapis.com';
const TOKEN_URI = 'https://oauth2.googleapis.com/token';

/** `{ serviceAccount: { project_id, client_email, private_key, token_uri }, endpoint? }` */
export function parseFcmCredentials(body: unknown, allowPlain: boolean): ParsedCredentials {
  const fields = new FieldReader(body);
  const account = fields.object('serviceAccount');
  const credentials: FcmCredentials = {
    projectId: account.text('project_id', PROJECT),
    clientEmail: account.text('client_email', EMAIL),
    tokenUri: account.url('token_uri', { allowPlain, default: TOKEN_URI }),
    endpoint: fields.url('endpoint', { allowPlain, default: ENDPOINT }),
    privateKey: readPrivateKey(account, 'private_key', 'RSA'),
  };
  fields.finish();
  const { privateKey, ...settings } = credentials;
  return { settings: present(settings), secrets: { privateKey } };
}
