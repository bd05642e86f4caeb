import type { JsonObject, JsonValue } from '@postrider/domain';

/** What rules read of a device, as it is stored. */
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
  /** Fields that a rule may name and that have no type of their own: attributes before the user's before registration. */
  attributes: JsonObject;
  userAttributes: JsonObject;
  registration: JsonObject;
}

/** A device of an application and what a group's rules say about it. */
export interface DeviceAnswers extends DeviceFacts {
  /** The answer of each rule, in the order of the outline. */
  answers: boolean[];
  isMatch: boolean;
  isMember: boolean;
  isReachable: boolean;
  /** Why a message does not reach it, or would wait; null when a vendor takes it. */
  reason: string | null;
}

/** One rule's answer, in words. */
export interface RuleAnswer {
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
  /** What decided it. */
  reasons: string[];
  rules: RuleAnswer[];
}

/** The value that a custom field's name stands for on a device; undefined when it has none. */
export function customValueOf(device: DeviceFacts, name: string): JsonValue | undefined {
  for (const source of [device.attributes, device.userAttributes, device.registration]) {
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}
