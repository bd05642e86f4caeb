import type { JsonObject } from '@postrider/domain';

/** A device as the evaluator sees it: plain values, nothing prepared for a database. */
export interface ReferenceDevice {
  userId: string;
  deviceType: string | null;
  osVersion: string | null;
  clientVersion: string | null;
  launchCount: number;
  launchTime: Date;
  installDate: Date;
  tags: string[];
  tagValues: Record<string, string>;
  isOnline: boolean;
  location: { lat: number; lng: number } | null;
  /** The device's own attributes, its user's, and registration fields that are not built in. */
  attributes: JsonObject;
  userAttributes: JsonObject;
  registration: JsonObject;
}
