import type { InstallationResponse, UserDeviceResponse } from '@postrider/contracts';
import { DomainError, type JsonObject } from '@postrider/domain';
import type { Installation } from '@postrider/persistence';

/** An installation as its device and the application's backend get it. */
export function showInstallation(
  appId: string,
  installation: Installation,
  userInfo?: JsonObject,
): InstallationResponse {
  const { latitude, longitude, createdAt, updatedAt, launchTime, installDate } = installation;
  return {
    ...installation.registration,
    id: installation.installationId,
    appId,
    userId: installation.userId,
    deviceType: installation.deviceType,
    deviceToken: installation.token,
    tokenStatus: installation.tokenStatus,
    pushType: installation.pushType,
    osVersion: installation.osVersion,
    clientVersion: installation.clientVersion,
    launchCount: Number(installation.launchCount),
    launchTime: launchTime.toISOString(),
    installDate: installDate.toISOString(),
    tags: installation.tags,
    subscriptions: installation.channels,
    timeZone: installation.timeZone,
    locale: installation.locale,
    location: latitude === null || longitude === null ? null : { lat: latitude, lng: longitude },
    realtime: installation.realtime,
    protected: installation.protected,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(userInfo === undefined ? {} : { userInfo }),
  };
}

const SHOWN_OF_TOKEN = 8;

/** A device of a user, with just enough of its token to tell it from others. */
export function showDevice(appId: string, installation: Installation): UserDeviceResponse {
  const { token, attributes } = installation;
  const shown = token !== null && token.length > SHOWN_OF_TOKEN ? `${token.slice(0, SHOWN_OF_TOKEN)}…` : token;
  return Object.assign(showInstallation(appId, { ...installation, token: shown }), { attributes });
}

/** The answer for an installation that is unknown in this application. */
export function unknownInstallation(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such installation');
}
