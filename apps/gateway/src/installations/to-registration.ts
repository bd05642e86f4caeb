import { clientVersionOf, type RegistrationRequest, vendorTokenOf } from '@postrider/contracts';
import { DEFAULT_CHANNELS, versionSortKey } from '@postrider/domain';
import type { Registration } from '@postrider/persistence';

/** What is stored of a registration: its fields, and the sort keys of its versions. */
export function toRegistration(request: RegistrationRequest, isProved: boolean): Registration {
  const { osVersion = null, location, subscriptions } = request;
  const clientVersion = clientVersionOf(request);
  return {
    userId: request.userId,
    isProved,
    deviceType: request.deviceType ?? null,
    ...vendorTokenOf(request),
    osVersion,
    osVersionKey: osVersion === null ? null : versionSortKey(osVersion),
    clientVersion,
    clientVersionKey: clientVersion === null ? null : versionSortKey(clientVersion),
    launchCount: request.launchCount ?? null,
    launchTime: request.launchTime ?? null,
    installDate: request.installDate ?? null,
    // Of the default channels everybody is a member.
    channels: subscriptions?.filter((channel) => !DEFAULT_CHANNELS.includes(channel)) ?? null,
    registration: request.rest,
    timeZone: request.timeZone ?? null,
    locale: request.locale ?? null,
    latitude: location?.lat ?? null,
    longitude: location?.lng ?? null,
    realtime: request.realtime ?? false,
    protected: request.protected ?? false,
  };
}
