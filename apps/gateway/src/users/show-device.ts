import type { UserDeviceResponse } from '@postrider/contracts';
import type { Installation } from '@postrider/persistence';
import { showInstallation } from '../devices/show-installation';

const SHOWN_OF_TOKEN = 8;

/** A device of a user, with as much of its token as tells it from others and no more. */
export function showDevice(appId: string, installation: Installation): UserDeviceResponse {
  const { token, attributes } = installation;
  const shown = token !== null && token.length > SHOWN_OF_TOKEN ? `${token.slice(0, SHOWN_OF_TOKEN)}…` : token;
  return Object.assign(showInstallation(appId, { ...installation, token: shown }), { attributes });
}
