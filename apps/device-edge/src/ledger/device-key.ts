/** The key of a device among the connections of this edge. */
export function deviceKey(appId: string, deviceId: string): string {
  return `${deviceId} ${appId}`;
}
