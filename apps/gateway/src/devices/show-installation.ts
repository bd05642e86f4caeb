import type { InstallationResponse } from '@postrider/contracts';
import type { JsonObject } from '@postrider/domain';
import type { Installation } from '@postrider/persistence';

/** An installation as its device and the application's backend see it. */
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
