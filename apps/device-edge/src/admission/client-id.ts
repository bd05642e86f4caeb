import { normaliseText } from '@postrider/domain';

/** What a client id says (device-protocol: `<appId>/<userId>/<installationId>`). */
export interface ClientId {
  appId: string;
  /** In the form that user ids are compared in. */
  userId: string;
  /** As it came. */
  userText: string;
  installationId: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads a client id. The user id is what stands between the first and the last slash: it may hold some. Null: it is none. */
export function readClientId(clientId: string): ClientId | null {
  const first = clientId.indexOf('/');
  const last = clientId.lastIndexOf('/');
  if (first <= 0 || last <= first + 1) return null;
  const appId = clientId.slice(0, first);
  const userText = clientId.slice(first + 1, last);
  const installationId = clientId.slice(last + 1);
  const userId = normaliseText(userText);
  if (!UUID.test(installationId) || userId === null || userText.length > 255) return null;
  return { appId, userId, userText, installationId };
}
