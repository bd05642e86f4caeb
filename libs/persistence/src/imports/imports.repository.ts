import { Injectable } from '@nestjs/common';
import { CHANGED_HANDS } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { uniqueViolation } from '../database/sql-state';
import { DevicesRepository } from '../devices/devices.repository';
import { copyTags, type UserTags } from '../tags/tags-of-many-users';
import { copyDevices, copyUsers } from './copy-imported';
import {
  type DeviceToImport,
  holdersOfTokensStatement,
  importDevicesStatement,
  type ImportedDeviceOutcome,
  type TokenHolder,
} from './imported-devices.statement';
import { type CarriedFacts, type ImportBase, type ImportedFacts, type RefusedFacts, withFacts } from './imported-facts';
import {
  type HeldUser,
  holdKnownUsers,
  holdOrMakeUsers,
  type StoredBase,
  writeImportedUsers,
  type WrittenUser,
} from './imported-users.statement';

/** The application into which a file is imported, and the fingerprint of the file; null: unknown. */
export interface ImportTarget {
  appId: string;
  file: number | null;
}

/** The facts about one user in the lines of a file, in their order. */
export interface ImportedUser {
  userId: string;
  lines: ImportedFacts[];
}

/** The results for the users of a stretch. */
interface ImportedUsers {
  /** Users whose facts have changed, including new users. */
  changed: Set<string>;
  /** The tags of each user now. */
  tags: ReadonlyMap<string, UserTags>;
  /** Lines with too many tags or attributes for their user. */
  refused: RefusedFacts[];
}

const NOTHING: CarriedFacts = { tags: [], tagValues: {}, attributes: {} };

/** How often rows are looked for: another request may have made them at the same moment. */
const MOST_LOOKS = 5;

/** Writes the devices of files, and the tags and attributes of their users. */
@Injectable()
export class ImportsRepository {
  constructor(private readonly devices: DevicesRepository) {}

  /** Returns the devices that have these vendor tokens now, by the place of the token. */
  async findHolders(
    executor: Executor,
    { appId, file }: ImportTarget,
    tokens: readonly Pick<DeviceToImport, 'pushType' | 'token'>[],
  ): Promise<Map<number, TokenHolder>> {
    if (tokens.length === 0) return new Map();
    const found = await rows<TokenHolder & { place: number }>(
      executor,
      holdersOfTokensStatement({ appId, tokens, file }),
    );
    return new Map(found.map((holder) => [holder.place - 1, holder]));
  }

  /**
   * Gives users tags and attributes, and makes users who are not known yet. The later of two lines wins, even if the
   * first one was in an earlier call or file; lines of the same file up to the one that wrote the user last are done. Facts that do not come from an import stay, unless the time of the line
   * is later. Tags are never removed. The users are locked until the transaction ends.
   * @param users each id once
   */
  async importUsers(
    executor: Executor,
    { appId, file }: ImportTarget,
    users: readonly ImportedUser[],
    { now, mostTags }: { now: Date; mostTags: number },
  ): Promise<ImportedUsers> {
    const made = users.map(({ userId, lines }) => {
      const { after, refused } = withFacts(NOTHING, null, { lines, mostTags });
      return { user: { userId, line: lastOf(lines), ...(after ?? NOTHING) }, lines, refused };
    });
    const asked = made.map(({ user }) => user);
    const held = await this.#hold(executor, { appId, file, now }, asked);
    const changes = made.map(({ user: { userId }, lines, refused }): UserChange => {
      const before = held.get(userId);
      return before === undefined
        ? { userId, isNews: true, written: null, refused }
        : changeOf(before, lines, { file, mostTags });
    });
    const tags = new Map<string, UserTags>(asked.map((user) => [user.userId, held.get(user.userId) ?? user]));
    const changed = new Set(changes.flatMap(({ userId, isNews }) => (isNews ? [userId] : [])));
    const written = changes.flatMap((change) => change.written ?? []);
    if (written.length > 0) {
      await rows(executor, writeImportedUsers({ appId, users: written, now, file }));
      const userIds = written.map(({ userId }) => userId).filter((userId) => changed.has(userId));
      await rows(executor, copyTags({ appId, userIds }));
    }
    for (const user of written) tags.set(user.userId, user);
    return {
      changed,
      tags,
      refused: changes.flatMap(({ refused }) => refused),
    };
  }

  /**
   * Imports devices whose users are locked. If a device gets another owner, the deliveries that wait for the former
   * owner are skipped.
   * @param devices each vendor token once
   * @param owners the tags of their users, if the devices are expected to be new: then they are copied, and looked for
   *   only if one of them exists
   * @returns the result for each device that was not created, by the id in `devices`
   */
  async importDevices(
    executor: Executor,
    { appId, file, now, owners }: ImportTarget & { now: Date; owners: ReadonlyMap<string, UserTags> | null },
    devices: readonly DeviceToImport[],
  ): Promise<Map<string, 'updated' | 'unchanged'>> {
    if (owners !== null) {
      const copy = (): Promise<void> => copyDevices(executor, { appId, now, file, owners }, devices);
      if (await isCopied(executor, copy)) return new Map();
    }
    const done = await this.#findOrMake(executor, { appId, file, now }, devices);
    const handedOver = done.flatMap(({ handedOver: device }) => device ?? []);
    if (handedOver.length > 0) {
      await this.devices.skipWaitingDeliveries(executor, appId, handedOver, { ...CHANGED_HANDS, at: now });
    }
    return new Map(
      done.flatMap(({ installationId, outcome }) => (outcome === 'missed' ? [] : [[installationId, outcome] as const])),
    );
  }

  async #findOrMake(
    executor: Executor,
    target: ImportTarget & { now: Date },
    devices: readonly DeviceToImport[],
  ): Promise<ImportedDeviceOutcome[]> {
    const done: ImportedDeviceOutcome[] = [];
    let left = devices;
    for (let looks = 0; left.length > 0 && looks < MOST_LOOKS; looks++) {
      const found = await rows<ImportedDeviceOutcome>(executor, importDevicesStatement({ ...target, devices: left }));
      done.push(...found);
      const missed = new Set(found.flatMap((one) => (one.outcome === 'missed' ? [one.installationId] : [])));
      left = missed.size === 0 ? [] : left.filter(({ installationId }) => missed.has(installationId));
    }
    if (left.length > 0) throw new Error('Devices of an import are registered again and again by somebody else');
    return done;
  }

  /** @returns the users who existed before, by their ids; the others are made */
  async #hold(
    executor: Executor,
    target: ImportTarget & { now: Date },
    users: Parameters<typeof holdOrMakeUsers>[0]['users'],
  ): Promise<Map<string, HeldUser>> {
    const userIds = users.map(({ userId }) => userId);
    const known = await preparedRows<HeldUser>(executor, holdKnownUsers({ ...target, userIds }));
    const held = new Map(known.map((user) => [user.userId, user]));
    let left = users.filter(({ userId }) => !held.has(userId));
    if (left.length === 0 || (await isCopied(executor, () => copyUsers(executor, target, left)))) return held;
    for (let looks = 0; left.length > 0 && looks < MOST_LOOKS; looks++) {
      const found = await rows<HeldUser>(executor, holdOrMakeUsers({ ...target, users: left }));
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

/** Copies rows that are expected to be new. @returns false if one of them exists; then nothing is written */
async function isCopied(executor: Executor, copy: () => Promise<void>): Promise<boolean> {
  await rows(executor, 'SAVEPOINT copied');
  try {
    await copy();
    await rows(executor, 'RELEASE SAVEPOINT copied');
    return true;
  } catch (error) {
    if (!uniqueViolation(error)) throw error;
    await rows(executor, 'ROLLBACK TO SAVEPOINT copied');
    return false;
  }
}

/** The result of the lines of one user. */
interface UserChange {
  userId: string;
  /** True if the facts of the user have changed. */
  isNews: boolean;
  /** The facts to write for a user who existed before; null: none. */
  written: WrittenUser | null;
  refused: readonly RefusedFacts[];
}

function factsOf({ tags, tagValues, attributes }: HeldUser): CarriedFacts {
  return { tags, tagValues, attributes };
}

function lastOf(lines: readonly ImportedFacts[]): number {
  return lines.at(-1)?.line ?? 0;
}

function changeOf(
  before: HeldUser,
  named: readonly ImportedFacts[],
  { file, mostTags }: { file: number | null; mostTags: number },
): UserChange {
  const { userId, writtenTo } = before;
  // The facts of the others are in the user already, and later lines may have changed them since.
  const lines = writtenTo === null ? named : named.filter(({ line }) => line > writtenTo);
  const base = baseOf(before);
  const { after, isUndone, refused } = withFacts(before, base, { lines, mostTags });
  // Where lines undo each other, the last one is noted too: if the file comes again, none of them is read alone.
  const facts = isUndone && file !== null ? factsOf(before) : after;
  const written = facts && { userId, line: lastOf(lines), ...facts, base: base && stored(base) };
  return { userId, isNews: after !== null, written, refused };
}

/** Returns the facts that only later facts may change; null: none, because an import made the user. */
function baseOf({ isImported, base, updatedAt, tags, attributes }: HeldUser): ImportBase | null {
  if (!isImported) return { at: updatedAt, tags, attributes: Object.keys(attributes) };
  return base && { ...base, at: new Date(base.at) };
}

function stored({ at, tags, attributes }: ImportBase): StoredBase {
  return { at: at.toISOString(), tags, attributes };
}
