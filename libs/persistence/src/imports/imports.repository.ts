import { Injectable } from '@nestjs/common';
import { CHANGED_HANDS, type JsonObject, type JsonValue } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { DevicesRepository } from '../devices/devices.repository';
import { copyTags } from '../tags/tags-of-many-users';
import { attributesProblem } from '../users/users.repository';
import {
  type DeviceToImport,
  importDevicesStatement,
  type ImportedDeviceOutcome,
  ownersOfTokensStatement,
} from './imported-devices.statement';
import { type HeldUser, holdOrMakeUsers, type ImportedUser, writeImportedUsers } from './imported-users.statement';

/** What became of the users that a stretch of a file names. */
export interface ImportedUsers {
  /** Users who carry more than before, new ones among them. */
  changed: Set<string>;
  /** Users of whom nothing was taken, and why. */
  refused: Map<string, string>;
}

/** Somebody else made what we were about to make: the next look finds it. */
const MOST_LOOKS = 5;

/** Writes devices that files name, and what their users carry. */
@Injectable()
export class ImportsRepository {
  constructor(private readonly devices: DevicesRepository) {}

  /** The users who have these vendor tokens now, by the place of the token. */
  async findOwners(
    executor: Executor,
    appId: string,
    tokens: readonly Pick<DeviceToImport, 'pushType' | 'token'>[],
  ): Promise<Map<number, string>> {
    if (tokens.length === 0) return new Map();
    const found = await rows<{ place: number; userId: string }>(executor, ownersOfTokensStatement({ appId, tokens }));
    return new Map(found.map(({ place, userId }) => [place - 1, userId]));
  }

  /**
   * Gives users tags and attributes, and makes those who are not known yet. Nothing is taken away: a tag keeps its
   * value and an attribute too, unless the file knows of a later one. The users are held until the transaction ends.
   *
   * @param users each id once
   */
  async importUsers(
    executor: Executor,
    appId: string,
    users: readonly ImportedUser[],
    { now, mostTags }: { now: Date; mostTags: number },
  ): Promise<ImportedUsers> {
    const result: ImportedUsers = { changed: new Set(), refused: new Map() };
    const possible = users.filter((user) => {
      const problem = problemOf(user, mostTags);
      if (problem !== null) result.refused.set(user.userId, problem);
      return problem === null;
    });
    const held = await this.#hold(executor, appId, possible, now);
    const changed = possible.flatMap((user) => {
      const before = held.get(user.userId);
      if (before === undefined) {
        result.changed.add(user.userId);
        return [];
      }
      const after = merged(before, user);
      if (after === null) return [];
      const problem = problemOf(after, mostTags);
      if (problem === null) result.changed.add(user.userId);
      else result.refused.set(user.userId, problem);
      return problem === null ? [after] : [];
    });
    if (changed.length > 0) {
      await rows(executor, writeImportedUsers({ appId, users: changed }));
      await rows(executor, copyTags({ appId, userIds: changed.map(({ userId }) => userId) }));
    }
    return result;
  }

  /**
   * Imports devices, whose users are held. What waited for the former owner of one that gets another owner is skipped.
   *
   * @param devices each vendor token once
   * @returns what became of each that was not created, by the id in `devices`
   */
  async importDevices(
    executor: Executor,
    appId: string,
    devices: readonly DeviceToImport[],
    now: Date,
  ): Promise<Map<string, 'updated' | 'unchanged'>> {
    const outcomes = new Map<string, 'updated' | 'unchanged'>();
    const handedOver: string[] = [];
    let left = devices;
    for (let looks = 0; left.length > 0 && looks < MOST_LOOKS; looks++) {
      const done = await rows<ImportedDeviceOutcome>(executor, importDevicesStatement({ appId, devices: left, now }));
      const missed = new Set<string>();
      for (const { installationId, outcome, handedOver: handed } of done) {
        if (outcome === 'missed') missed.add(installationId);
        else outcomes.set(installationId, outcome);
        if (handed !== null) handedOver.push(handed);
      }
      left = missed.size === 0 ? [] : left.filter(({ installationId }) => missed.has(installationId));
    }
    if (left.length > 0) throw new Error('Devices of an import are registered again and again by somebody else');
    if (handedOver.length > 0) {
      await this.devices.skipWaitingDeliveries(executor, appId, handedOver, { ...CHANGED_HANDS, at: now });
    }
    return outcomes;
  }

  /** @returns the users who were there before, by their ids; the others are made */
  async #hold(
    executor: Executor,
    appId: string,
    users: readonly ImportedUser[],
    now: Date,
  ): Promise<Map<string, HeldUser>> {
    const held = new Map<string, HeldUser>();
    let left = users;
    for (let looks = 0; left.length > 0 && looks < MOST_LOOKS; looks++) {
      const found = await rows<HeldUser>(executor, holdOrMakeUsers({ appId, users: left, now }));
      const missed = new Set<string>();
      for (const user of found) {
        if (user.isMissed) missed.add(user.userId);
        else held.set(user.userId, user);
      }
      left = missed.size === 0 ? [] : left.filter(({ userId }) => missed.has(userId));
    }
    if (left.length > 0) throw new Error('Users of an import are made and removed again and again by somebody else');
    return held;
  }
}

/** What a user carries with what a file says; null: no more than before. */
function merged(before: HeldUser, { userId, tags, tagValues, attributes, at }: ImportedUser): ImportedUser | null {
  const isNewer = at !== null && at > before.updatedAt;
  const after = {
    userId,
    at,
    tags: [...new Set([...before.tags, ...tags])].sort(),
    tagValues: isNewer ? { ...before.tagValues, ...tagValues } : { ...tagValues, ...before.tagValues },
    attributes: isNewer ? { ...before.attributes, ...attributes } : { ...attributes, ...before.attributes },
  };
  // A tag that the user had without a value is edited later than the file, or as the file says.
  if (!isNewer)
    for (const tag of before.tags) if (!(tag in before.tagValues)) Reflect.deleteProperty(after.tagValues, tag);
  const isSame =
    after.tags.length === before.tags.length &&
    hasAll(before.tagValues, after.tagValues) &&
    hasAll(before.attributes, after.attributes);
  return isSame ? null : after;
}

function hasAll(all: JsonObject, some: JsonObject): boolean {
  return Object.entries(some).every(([name, value]) => isEqual(all[name], value));
}

function isEqual(one: JsonValue | undefined, other: JsonValue): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function problemOf({ tags, attributes }: ImportedUser, mostTags: number): string | null {
  if (tags.length > mostTags) return `would give the user more than ${mostTags} tags`;
  return attributesProblem(attributes);
}
