import type { MessageContent, MessageKind } from './message';
import type { DeliveryVendor, PushVendor } from './vendor';

/**
 * How a message may reach a device: `live` only over a connection that is open now, `inApp` over the own connection now
 * or later, `notify` over a push service only, `any` over whatever the device has.
 */
export type Reach = 'any' | 'live' | 'inApp' | 'notify';

/** Why a recipient's device cannot be reached. */
export type UnroutableReason =
  'user_not_proved' | 'no_token' | 'token_invalid' | 'vendor_not_configured' | 'no_connection';

/** The properties of a device that routing uses. */
export interface RoutableDevice {
  /** Its user is proved, or its application does not require that. */
  isProved: boolean;
  /** An MQTT session of it is open, on an edge that is alive. */
  isConnected: boolean;
  /** Registered with `realtime`, or connected before. */
  usesConnection: boolean;
  pushType: PushVendor | null;
  hasToken: boolean;
  tokenStatus: string | null;
}

/**
 * Where a message for one device is sent. `not_addressed`: the message was never meant for it, and no record is kept.
 */
export type Destination =
  | { kind: 'reachable'; vendor: DeliveryVendor }
  | { kind: 'skipped'; reason: UnroutableReason }
  | { kind: 'not_addressed'; reason: 'not_connected' };

/** The reach of a message. `notifyUsers` means vendor push only, whatever flags the message has. */
export function reachOf(kind: MessageKind, content: Pick<MessageContent, 'live' | 'inApp'>): Reach {
  if (kind === 'notify') return 'notify';
  if (content.live) return 'live';
  return content.inApp ? 'inApp' : 'any';
}

/**
 * Routes one device: not proved to be its user's → skipped; connected now → its connection; else a usable token of a
 * configured vendor → that vendor; else the device's own connection, where the message waits; else skipped. `live`,
 * `inApp` and `notify` narrow this. `libs/audience` has the same rule as SQL, and a test compares the two.
 */
export function routeDevice(device: RoutableDevice, reach: Reach, configured: readonly string[]): Destination {
  if (reach === 'live' && !device.isConnected) return { kind: 'not_addressed', reason: 'not_connected' };
  return device.isProved ? routeProved(device, reach, configured) : { kind: 'skipped', reason: 'user_not_proved' };
}

function routeProved(device: RoutableDevice, reach: Reach, configured: readonly string[]): Destination {
  const usesConnection = device.isConnected || device.usesConnection;
  switch (reach) {
    case 'live':
      return overConnection;
    case 'inApp':
      return usesConnection ? overConnection : { kind: 'skipped', reason: 'no_connection' };
    case 'notify':
      return routeToVendor(device, configured);
    case 'any':
      return device.isConnected ? overConnection : routeToVendorOrWait(device, configured);
  }
}

const overConnection: Destination = { kind: 'reachable', vendor: 'connection' };

function routeToVendorOrWait(device: RoutableDevice, configured: readonly string[]): Destination {
  const toVendor = routeToVendor(device, configured);
  return toVendor.kind === 'skipped' && device.usesConnection ? overConnection : toVendor;
}

function routeToVendor(device: RoutableDevice, configured: readonly string[]): Destination {
  if (!device.hasToken || device.pushType === null) return { kind: 'skipped', reason: 'no_token' };
  if (device.tokenStatus !== null && device.tokenStatus !== 'ALLOWED') {
    return { kind: 'skipped', reason: 'token_invalid' };
  }
  return configured.includes(device.pushType)
    ? { kind: 'reachable', vendor: device.pushType }
    : { kind: 'skipped', reason: 'vendor_not_configured' };
}
