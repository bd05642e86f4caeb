import type { JsonObject, JsonValue } from '@postrider/domain';

/** The stored data of a device that rules read. */
export interface DeviceFacts {
  installationId: string;
  userId: string;
  deviceType: string | null;
  osVersion: string | null;
  clientVersion: string | null;
  launchCount: string;
  launchTime: Date;
  installDate: Date;
  isOnline: boolean;
  tags: string[];
  tagValues: Record<string, string>;
  latitude: number | null;
  longitude: number | null;
  pushType: string | null;
  /**
   * Fields without a type of their own that a rule may name: an attribute overrides the registration field of the same
   * name.
   */
  attributes: JsonObject;
  userAttributes: JsonObject;
  registration: JsonObject;
}

/** A device of an application and the results of a group's rules for it. */
export interface DeviceAnswers extends DeviceFacts {
  /** The result of each rule, in the order of the outline. */
  answers: boolean[];
  isMatch: boolean;
  isMember: boolean;
  isReachable: boolean;
  /** Why a message does not reach it, or would wait. Null if a vendor reaches it. */
  reason: string | null;
}

/** The result of one rule, in words. */
interface RuleAnswer {
  path: string;
  holds: boolean;
  why: string;
}

/** Why a device is in a group, or not. */
export interface ExplainedDevice {
  installationId: string;
  userId: string;
  /** True if a message to the group is sent to it. */
  isIn: boolean;
  isMatch: boolean;
  isMember: boolean;
  isReachable: boolean;
  /** The rules that decided it, in words. */
  reasons: string[];
  rules: RuleAnswer[];
}

/** The value of a custom field on a device. Undefined if it has none. */
export function customValueOf(device: DeviceFacts, name: string): JsonValue | undefined {
  for (const source of [device.attributes, device.userAttributes, device.registration]) {
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}
