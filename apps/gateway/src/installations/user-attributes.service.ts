import { Inject, Injectable } from '@nestjs/common';
import type { AttributeChange, AttributesRequest, IncrementRequest, UserInfoRequest } from '@postrider/contracts';
import type { JsonObject } from '@postrider/domain';
import {
  countInstallations,
  type Database,
  DATABASE,
  type Executor,
  findInstallationOwner,
  inRetriedTransaction,
  lockInstallation,
  lockUserAttributes,
  saveInstallationAttributes,
  saveUserAttributes,
} from '@postrider/persistence';
import { changeAttributes, incrementAttributes } from './change-attributes';
import { isUuid, unknownInstallation } from './installation-id';

/** Changes the attributes of users and of single installations; changes at the same time follow one another. */
@Injectable()
export class UserAttributes {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Changes the attributes of an installation's user. @throws DomainError NOT_FOUND */
  async change(appId: string, { installationId, changes }: UserInfoRequest): Promise<JsonObject> {
    return this.#changeOwner(appId, installationId, (now) => changeAttributes(now, changes));
  }

  /** Adds to number attributes of an installation's user. @throws DomainError NOT_FOUND */
  async increment(appId: string, { installationId, increments }: IncrementRequest): Promise<JsonObject> {
    return this.#changeOwner(appId, installationId, (now) => incrementAttributes(now, increments));
  }

  /**
   * Sets attributes of a user, or of one installation alone.
   *
   * @returns how many installations they hold for
   */
  async set(appId: string, { userId, installationId, attributes }: AttributesRequest): Promise<number> {
    const changes = Object.entries(attributes).map(([name, value]): AttributeChange => ({
      name,
      operation: 'set',
      value,
    }));
    return inRetriedTransaction(this.database, async (executor) => {
      if (userId !== null) {
        const now = await lockUserAttributes(executor, appId, userId);
        if (!now) return 0;
        await saveUserAttributes(executor, appId, userId, changeAttributes(now, changes));
        return countInstallations(executor, appId, userId);
      }
      return setOfInstallation(executor, appId, installationId ?? '', changes);
    });
  }

  async #changeOwner(
    appId: string,
    installationId: string,
    change: (now: JsonObject) => JsonObject,
  ): Promise<JsonObject> {
    if (!isUuid(installationId)) throw unknownInstallation();
    return inRetriedTransaction(this.database, async (executor) => {
      const owner = await findInstallationOwner(executor, appId, installationId);
      const now = owner && (await lockUserAttributes(executor, appId, owner.userId));
      if (!owner || !now) throw unknownInstallation();
      const changed = change(now);
      await saveUserAttributes(executor, appId, owner.userId, changed);
      return changed;
    });
  }
}

async function setOfInstallation(
  executor: Executor,
  appId: string,
  installationId: string,
  changes: readonly AttributeChange[],
): Promise<number> {
  const installation = isUuid(installationId) ? await lockInstallation(executor, appId, installationId) : null;
  if (!installation) return 0;
  const changed = changeAttributes(installation.attributes, changes);
  await saveInstallationAttributes(executor, appId, installationId, changed);
  return 1;
}
