import type { JsonObject } from '@postrider/domain';

/** A saved segment. */
export interface SegmentResponse {
  id: string;
  name: string;
  target?: JsonObject;
  segment?: JsonObject;
  createdAt: string;
  updatedAt: string;
}

/** What `POST /api/segments/count` answers. */
export interface SegmentCountResponse {
  /** Devices that a message to the group would be sent to. */
  count: number;
  /** All devices of the group. */
  devices: number;
  /** Their users; left out when they were not asked for. */
  users?: number;
  tookMs: number;
}

/** What one rule does to a group. */
export interface RuleEffectResponse {
  path: string;
  alone: number;
  without: number;
  /** Devices that the group loses by it. */
  removes: number;
}

/** Why one device is in a group, or not. */
export interface ExplainedDeviceResponse {
  installationId: string;
  userId: string;
  isIn: boolean;
  isMatch: boolean;
  isMember: boolean;
  isReachable: boolean;
  reasons: string[];
  rules: { path: string; holds: boolean; why: string }[];
}

/** What `POST /api/segments/explain` answers; `explained` when somebody's devices were asked about. */
export interface SegmentExplanationResponse {
  count: number;
  devices: number;
  rules: RuleEffectResponse[];
  explained?: ExplainedDeviceResponse[];
  tookMs: number;
}
