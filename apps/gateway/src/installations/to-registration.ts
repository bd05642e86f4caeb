import { versionSortKey } from '@postrider/domain';
import type { RegistrationRequest } from '@postrider/contracts';
import type { Registration } from '@postrider/persistence';

/** What is stored of a registration: its fields, and the sort keys of its versions. */
export function toRegistration(request: RegistrationRequest, isProved: boolean): Registration {
  const { osVersion, clientVersion, location, rest } = request;
  return {
    userId: request.userId,
    isProved,
    deviceType: request.deviceType,
    pushType: request.pushType,
    token: request.token,
    tokenStatus: request.tokenStatus,
    osVersion,
    osVersionKey: osVersion === null ? null : versionSortKey(osVersion),
    clientVersion,
    clientVersionKey: clientVersion === null ? null : versionSortKey(clientVersion),
    launchCount: request.launchCount,
    launchTime: request.launchTime,
    installDate: request.installDate,
    channels: request.channels,
    registration: rest,
    timeZone: request.timeZone,
    locale: request.locale,
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
    realtime: request.realtime,
    protected: request.protected,
  };
}
