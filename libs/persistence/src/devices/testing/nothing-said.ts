/** What a registration or an imported device holds of a device that said nothing about itself. */
export const NOTHING_SAID = {
  tokenStatus: null,
  deviceType: null,
  osVersion: null,
  osVersionKey: null,
  clientVersion: null,
  clientVersionKey: null,
  launchCount: null,
  launchTime: null,
  installDate: null,
  channels: null,
  timeZone: null,
  locale: null,
  latitude: null,
  longitude: null,
};
