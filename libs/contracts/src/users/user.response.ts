import type { JsonObject } from '@postrider/domain';
import type { InstallationResponse } from '../installations/installation.response';

/** A user in a list. */
export interface ListedUserResponse {
  userId: string;
  tags: string[];
  devices: number;
  createdAt: string;
}

/** A user: what he carries, and his first hundred devices, their tokens shortened. */
export interface UserResponse {
  userId: string;
  tags: string[];
  tagValues: Record<string, string>;
  attributes: JsonObject;
  devices: InstallationResponse[];
}

/** What was erased of a user. */
export interface ErasureResponse {
  devices: number;
  messages: number;
  deliveries: number;
  links: number;
}
