import { Inject, Injectable } from '@nestjs/common';
import {
  type AttributeChange,
  attributeChangesOf,
  type AttributesRequest,
  type IncrementRequest,
  type UserInfoRequest,
} from '@postrider/contracts';
import { addDecimals, covers, isUuid, type JsonObject, InvalidRequest, type JsonValue } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  DevicesRepository,
  type Executor,
  inRetriedTransaction,
  TooManyAttributes,
  UsersRepository,
  checkAttributes,
} from '@postrider/persistence';
import type { Caller } from '../../auth/caller';
import { OwnerLookups } from '../registration/owner-lookups.service';
import { UserIdentity } from '../registration/user-identity.service';
import { unknownInstallation } from '../show-installation';

/** Who changes attributes of a device's user, and the proof that they may. */
export interface AttributesClaim {
  caller: Caller;
  userHash: string | null;
}

/** Changes the attributes of users and of single installations. Concurrent changes run one after the other. */
@Injectable()
export class UserAttributes {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly devices: DevicesRepository,
    private readonly users: UsersRepository,
    private readonly owners: OwnerLookups,
    private readonly identity: UserIdentity,
  ) {}

  /** Changes the attributes of an installation's user. @throws DomainError NOT_FOUND, UNAUTHORIZED, FORBIDDEN */
  async change(claim: AttributesClaim, request: UserInfoRequest): Promise<JsonObject> {
    const { installationId } = request;
    const changes = attributeChangesOf(request);
    const names = changes.map(({ name }) => name);
    return this.#changeOwner(claim, { installationId, names }, (now) => changeAttributes(now, changes)).catch(
      (error: unknown) => {
        throw error instanceof TooManyAttributes ? error.under('data') : error;
      },
    );
  }

  /**
   * Adds to number attributes of an installation's user: all of the numbers or none.
   * @throws DomainError NOT_FOUND, UNAUTHORIZED, FORBIDDEN; InvalidRequest for attributes that are not numbers
   */
  async increment(
    claim: AttributesClaim,
    { installationId, attributes: increments }: IncrementRequest,
  ): Promise<JsonObject> {
    const names = increments.map(({ attribute }) => attribute);
    return this.#changeOwner(claim, { installationId, names }, (now) => incrementAttributes(now, increments));
  }

  /**
   * Sets attributes of a user, or of one installation only. Those of a user without devices are stored for them.
   *
   * @returns the number of installations that the attributes apply to
   * @throws DomainError NOT_FOUND if there is no such installation
   */
  async set(appId: string, { userId, installationId, attributes }: AttributesRequest): Promise<number> {
    const changes = Object.entries(attributes).map(([name, value]): AttributeChange => ({
      name,
      operation: 'set',
      value,
    }));
    return inRetriedTransaction(this.database, async (executor) => {
      if (userId !== undefined) {
        await this.users.add(executor, appId, userId);
        const now = (await this.users.lockAttributes(executor, appId, userId)) ?? {};
        await this.users.saveAttributes(executor, appId, userId, changeAttributes(now, changes));
        return this.devices.countOfUser(executor, appId, userId);
      }
      return this.#setOfInstallation(executor, appId, installationId ?? '', changes);
    });
  }

  async #changeOwner(
    claim: AttributesClaim,
    changed: { installationId: string; names: string[] },
    change: (now: JsonObject) => JsonObject,
  ): Promise<JsonObject> {
    const { appId } = claim.caller;
    const { installationId } = changed;
    const userId = await this.#checkedOwner(claim, changed);
    return inRetriedTransaction(this.database, async (executor) => {
      const owner = await this.devices.findOwner(executor, appId, installationId);
      const now = owner?.userId === userId ? await this.users.lockAttributes(executor, appId, userId) : null;
      if (!now) throw unknownInstallation();
      const after = change(now);
      await this.users.saveAttributes(executor, appId, userId, after);
      return after;
    });
  }

  /** The owner of the installation, if the request may change these attributes. */
  async #checkedOwner(
    { caller: { appId, scopes }, userHash }: AttributesClaim,
    { installationId, names }: { installationId: string; names: string[] },
  ): Promise<string> {
    const owner = isUuid(installationId) ? await this.owners.find(appId, installationId) : null;
    if (!owner) throw unknownInstallation();
    if (covers(scopes, 'server')) return owner.userId;
    const isProved = await this.identity.verify(appId, owner.userId, userHash);
    if (!isProved) await this.identity.checkUnprotected(appId, names);
    return owner.userId;
  }

  async #setOfInstallation(
    executor: Executor,
    appId: string,
    installationId: string,
    changes: readonly AttributeChange[],
  ): Promise<number> {
    const installation = isUuid(installationId) ? await this.devices.lock(executor, appId, installationId) : null;
    if (!installation) throw unknownInstallation();
    const changed = changeAttributes(installation.attributes, changes);
    await this.devices.saveAttributes(executor, appId, installationId, changed);
    return 1;
  }
}

/**
 * Applies changes to attributes, in order. `null` and `unset` remove; arrays behave as sets; adding to a value that is
 * not an array makes it one.
 *
 * @returns the new attributes; the given ones do not change
 * @throws InvalidRequest if there would be too many, or too large ones
 */
function changeAttributes(attributes: JsonObject, changes: readonly AttributeChange[]): JsonObject {
  const changed = new Map(Object.entries(attributes));
  for (const change of changes) {
    const value = valueAfter(changed.get(change.name), change);
    if (value === null) changed.delete(change.name);
    else changed.set(change.name, value);
  }
  const result = Object.fromEntries(changed);
  return checkAttributes(result);
}

/** The value of an attribute after a change. Null: removed. */
function valueAfter(before: JsonValue | undefined, change: AttributeChange): JsonValue {
  if (change.operation === 'unset') return null;
  if (change.operation === 'set') return change.value;
  const list = Array.isArray(before) ? before : before === undefined ? [] : [before];
  const values: JsonValue[] = change.values;
  if (change.operation === 'addToArray') return [...new Set([...list, ...values])];
  return before === undefined ? null : list.filter((value) => !values.includes(value));
}

/**
 * Adds numbers to attributes, in order. An absent one counts as 0.
 * @throws InvalidRequest for an attribute with another value, or if a sum becomes too large
 */
function incrementAttributes(
  attributes: JsonObject,
  increments: readonly { attribute: string; value: number }[],
): JsonObject {
  return increments.reduce((now: JsonObject, { attribute, value }, index) => {
    const before = Object.hasOwn(now, attribute) ? now[attribute] : 0;
    if (typeof before !== 'number') throw refusedIncrement(`[${index}].attribute`, 'is not a number');
    const sum = addDecimals(before, value);
    if (!Number.isFinite(sum)) throw refusedIncrement(`[${index}].value`, `makes ${attribute} too large`);
    return changeAttributes(now, [{ name: attribute, operation: 'set', value: sum }]);
  }, attributes);
}

function refusedIncrement(place: string, message: string): InvalidRequest {
  return new InvalidRequest([{ path: `attributes${place}`, message }]);
}
