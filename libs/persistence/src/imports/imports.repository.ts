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

/** What lines of a file say of one user, in their order. */
export interface ImportedUser {
  userId: string;
  lines: ImportedFacts[];
}

/** What became of the users that a stretch of a file names. */
export interface ImportedUsers {
  /** Users who carry something else than before, new ones among them. */
  changed: Set<string>;
  /** What each of the users carries now. */
  tags: ReadonlyMap<string, UserTags>;
  /** Lines whose tags or attributes are too many for their user. */
  refused: RefusedFacts[];
}

const NOTHING: CarriedFacts = { tags: [], tagValues: {}, attributes: {} };

/** Somebody else made what we were about to make: the next look finds it. */
const MOST_LOOKS = 5;

/** Writes devices that files name, and what their users carry. */
@Injectable()
export class ImportsRepository {
  constructor(private readonly devices: DevicesRepository) {}

  /** The devices that have these vendor tokens now, by the place of the token. */
  async findHolders(
    executor: Executor,
    appId: string,
    tokens: readonly Pick<DeviceToImport, 'pushType' | 'token'>[],
  ): Promise<Map<number, TokenHolder>> {
    if (tokens.length === 0) return new Map();
    const found = await rows<TokenHolder & { place: number }>(executor, holdersOfTokensStatement({ appId, tokens }));
    return new Map(found.map((holder) => [holder.place - 1, holder]));
  }

  /**
   * Gives users tags and attributes, and makes those who are not known yet. Of two lines the later one wins, also where an earlier call
   * or an earlier file had the first one. What was said of the user by anybody but an import stays, unless the line knows of a later
   * time; tags are never taken away. The users are held until the transaction ends.
   *
   * @param users each id once
   */
  async importUsers(
    executor: Executor,
    appId: string,
    users: readonly ImportedUser[],
    { now, mostTags }: { now: Date; mostTags: number },
  ): Promise<ImportedUsers> {
    const made = users.map(({ userId, lines }) => {
      const { after, refused } = withFacts(NOTHING, null, { lines, mostTags });
      return { user: { userId, ...(after ?? NOTHING) }, lines, refused };
    });
    const asked = made.map(({ user }) => user);
    const held = await this.#hold(executor, appId, asked, now);
    const changes = made.map(({ user: { userId }, lines, refused }): UserChange => {
      const before = held.get(userId);
      return before === undefined
        ? { userId, isNews: true, written: null, refused }
        : changeOf(before, lines, mostTags);
    });
    const tags = new Map<string, UserTags>(asked.map((user) => [user.userId, held.get(user.userId) ?? user]));
    const written = changes.flatMap((change) => change.written ?? []);
    if (written.length > 0) {
      await rows(executor, writeImportedUsers({ appId, users: written, now }));
      await rows(executor, copyTags({ appId, userIds: written.map(({ userId }) => userId) }));
    }
    for (const user of written) tags.set(user.userId, user);
    return {
      changed: new Set(changes.flatMap(({ userId, isNews }) => (isNews ? [userId] : []))),
      tags,
      refused: changes.flatMap(({ refused }) => refused),
    };
  }

  /**
   * Imports devices, whose users are held. What waited for the former owner of one that gets another owner is skipped.
   *
   * @param devices each vendor token once
   * @param owners what their users carry, where the devices are expected to be new: then they are copied, and looked for only when one of
   *   them is there
   * @returns what became of each that was not created, by the id in `devices`
   */
  async importDevices(
    executor: Executor,
    { appId, now, owners }: { appId: string; now: Date; owners: ReadonlyMap<string, UserTags> | null },
    devices: readonly DeviceToImport[],
  ): Promise<Map<string, 'updated' | 'unchanged'>> {
    if (owners !== null) {
      const copy = (): Promise<void> => copyDevices(executor, { appId, now, owners }, devices);
      if (await isCopied(executor, copy)) return new Map();
    }
    const done = await this.#findOrMake(executor, appId, devices, now);
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
    appId: string,
    devices: readonly DeviceToImport[],
    now: Date,
  ): Promise<ImportedDeviceOutcome[]> {
    const done: ImportedDeviceOutcome[] = [];
    let left = devices;
    for (let looks = 0; left.length > 0 && looks < MOST_LOOKS; looks++) {
      const found = await rows<ImportedDeviceOutcome>(executor, importDevicesStatement({ appId, devices: left, now }));
      done.push(...found);
      const missed = new Set(found.flatMap((one) => (one.outcome === 'missed' ? [one.installationId] : [])));
      left = missed.size === 0 ? [] : left.filter(({ installationId }) => missed.has(installationId));
    }
    if (left.length > 0) throw new Error('Devices of an import are registered again and again by somebody else');
    return done;
  }

  /** @returns the users who were there before, by their ids; the others are made */
  async #hold(
    executor: Executor,
    appId: string,
    users: Parameters<typeof holdOrMakeUsers>[0]['users'],
    now: Date,
  ): Promise<Map<string, HeldUser>> {
    const userIds = users.map(({ userId }) => userId);
    const known = await preparedRows<HeldUser>(executor, holdKnownUsers({ appId, userIds }));
    const held = new Map(known.map((user) => [user.userId, user]));
    let left = users.filter(({ userId }) => !held.has(userId));
    if (left.length === 0 || (await isCopied(executor, () => copyUsers(executor, { appId, now }, left)))) return held;
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

/** Copies rows that are expected to be new. @returns false when one of them is there already; then nothing is written */
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

/** What lines came to of one user. */
interface UserChange {
  userId: string;
  /** Whether they carry something else than before. */
  isNews: boolean;
  /** What is to be written of a user who was there before; null: nothing. */
  written: WrittenUser | null;
  refused: readonly RefusedFacts[];
}

function changeOf(before: HeldUser, lines: readonly ImportedFacts[], mostTags: number): UserChange {
  const { userId } = before;
  const base = baseOf(before);
  const { after, refused } = withFacts(before, base, { lines, mostTags });
  const written = after && { userId, ...after, base: base && stored(base) };
  return { userId, isNews: written !== null, written, refused };
}

/** What of a user gives way to later knowledge only; null: nothing, an import made them. */
function baseOf({ isImported, base, updatedAt, tags, attributes }: HeldUser): ImportBase | null {
  if (!isImported) return { at: updatedAt, tags, attributes: Object.keys(attributes) };
  return base && { ...base, at: new Date(base.at) };
}

function stored({ at, tags, attributes }: ImportBase): StoredBase {
  return { at: at.toISOString(), tags, attributes };
}
