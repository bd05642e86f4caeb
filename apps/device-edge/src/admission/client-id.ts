import { isUuid, normaliseText } from '@postrider/domain';

/** The parts of an MQTT client id: `<appId>/<userId>/<installationId>`. */
export interface ClientId {
  appId: string;
  /** Normalised, as user ids are stored and compared. */
  userId: string;
  /** As the client spells it. */
  userText: string;
  installationId: string;
}

/**
 * Reads a client id. The user id is the text between the first and the last slash, and may contain slashes.
 *
 * @returns null for a text that is not a client id
 */
export function readClientId(clientId: string): ClientId | null {
  const first = clientId.indexOf('/');
  const last = clientId.lastIndexOf('/');
  if (first <= 0 || last <= first + 1) return null;
  const appId = clientId.slice(0, first);
  const userText = clientId.slice(first + 1, last);
  const installationId = clientId.slice(last + 1);
  const userId = normaliseText(userText);
  if (!isUuid(installationId) || userId === null || userText.length > 255) return null;
  return { appId, userId, userText, installationId };
}
