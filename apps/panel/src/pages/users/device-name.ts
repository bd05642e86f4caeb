import { platformName } from '../../components/format';
import type { ReachableDeviceResponse } from '@postrider/server/document';

type Named = Pick<ReachableDeviceResponse, 'deviceType' | 'osVersion' | 'clientVersion'> & { deviceModel?: unknown };

/** What a device is, in a word: its model, else its type. */
export function modelOf({ deviceModel, deviceType }: Named): string {
  return typeof deviceModel === 'string' ? deviceModel : platformName(deviceType ?? 'Device');
}

/** The versions of a device's system and app; '' if it has told none. */
export function versionsOf({ osVersion, clientVersion }: Named): string {
  return [osVersion, clientVersion && `app ${clientVersion}`].filter(Boolean).join(' · ');
}
