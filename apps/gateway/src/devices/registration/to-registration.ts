import { clientVersionOf, type RegistrationRequest, vendorTokenOf } from '@postrider/contracts';
import { DEFAULT_CHANNELS, versionSortKey } from '@postrider/domain';
import type { Registration } from '@postrider/persistence';

/** What is stored of a registration: its fields, and the sort keys of its versions. */
export function toRegistration(request: RegistrationRequest, isProved: boolean): Registration {
  const { location, subscriptions, realtime = false, protected: isProtected = false } = request;
  return {
    userId: request.userId,
    isProved,
    deviceType: orNull(request.deviceType),
    ...vendorTokenOf(request),
    ...versionsOf(request),
    launchCount: orNull(request.launchCount),
    launchTime: orNull(request.launchTime),
    installDate: orNull(request.installDate),
    // Of the default channels everybody is a member.
    channels: orNull(subscriptions?.filter((channel) => !DEFAULT_CHANNELS.includes(channel))),
    registration: request.rest,
    timeZone: orNull(request.timeZone),
    locale: orNull(request.locale),
    latitude: orNull(location?.lat),
    longitude: orNull(location?.lng),
    realtime,
    protected: isProtected,
  };
}

type Versions = Pick<Registration, 'osVersion' | 'osVersionKey' | 'clientVersion' | 'clientVersionKey'>;

function versionsOf(request: RegistrationRequest): Versions {
  const { osVersion = null } = request;
  const clientVersion = clientVersionOf(request);
  return {
    osVersion,
    osVersionKey: osVersion === null ? null : versionSortKey(osVersion),
    clientVersion,
    clientVersionKey: clientVersion === null ? null : versionSortKey(clientVersion),
  };
}

/** What was not sent is stored as null. */
function orNull<T>(value: T | undefined): T | null {
  return value ?? null;
}
