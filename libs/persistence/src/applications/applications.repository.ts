import { Inject, Injectable } from '@nestjs/common';
import { type ClientTags, DomainError, type FrequencyCap, type QuietHours } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { uniqueViolation } from '../database/sql-state';
import { sql } from '../sql';
import { ApplicationEntity } from './application.entity';
import { latelyGuarded } from '../due-work/due-rows';

/** An application and its settings, without its secrets. */
export interface Application {
  appId: string;
  name: string;
  defaultAlertText: string;
  defaultRegion: string | null;
  requireUserHash: boolean;
  /** Which users' tags the key inside an app may edit. */
  clientTags: ClientTags;
  /** Attributes that a device may set only if it proves its user. */
  protectedAttributes: string[];
  promoExhausted: 'send_without' | 'skip';
  requestsPerSecond: number | null;
  /** Null: as many as the vendors take. */
  devicesPerSecond: number | null;
  quietHours: QuietHours | null;
  /** The time zone of devices that report none. Null: UTC. */
  defaultTimeZone: string | null;
  /** The limits on campaigns per user. Empty: no limit. */
  frequencyCaps: FrequencyCap[];
  /** Hosts that tracker links may lead to. Empty: the hosts that the trackers name. */
  linkHosts: string[];
  /** App schemes that tracker links may open. Empty: all that are not dangerous. */
  linkSchemes: string[];
  /** True if a deferred deep link is also found by network address and user agent. */
  matchByAddress: boolean;
  /** How long a deep link waits for its app to be installed. */
  deferredLinkMinutes: number;
  /** How long after a message was opened a conversion counts for it. */
  conversionWindowHours: number;
  /** Rises with each change of the settings. */
  revision: number;
  /** Since when the application and all its data are being deleted (`RemovalsRepository`). Null: they are not. */
  removalBeganAt: Date | null;
  /** Until when the former identity key proves users, possibly in the past. Null: there is no former key. */
  formerIdentityKeyUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What an operator may choose for an application. */
export type ApplicationSettings = Pick<
  Application,
  | 'name'
  | 'defaultAlertText'
  | 'defaultRegion'
  | 'requireUserHash'
  | 'clientTags'
  | 'protectedAttributes'
  | 'promoExhausted'
  | 'requestsPerSecond'
  | 'devicesPerSecond'
  | 'quietHours'
  | 'defaultTimeZone'
  | 'frequencyCaps'
  | 'linkHosts'
  | 'linkSchemes'
  | 'matchByAddress'
  | 'deferredLinkMinutes'
  | 'conversionWindowHours'
>;

/** A new application. Fields that are left out get their defaults. */
export type NewApplication = Partial<ApplicationSettings> & {
  appId: string;
  name: string;
  identityKeySealed: Buffer;
  at: Date;
};

/** The keys that prove users, as they are stored. */
export interface StoredIdentityKeys {
  /** Sealed in the context `identity:<appId>`. */
  identityKeySealed: Buffer;
  /** Sealed in the context `former-identity:<appId>`. Null: there is no former key. */
  formerIdentityKeySealed: Buffer | null;
  formerIdentityKeyUntil: Date | null;
}

/** What an application requires of devices that identify their user. */
type IdentitySettings = Pick<Application, 'requireUserHash' | 'clientTags' | 'protectedAttributes'> &
  StoredIdentityKeys;

/** The applications: their settings and secrets. */
@Injectable()
export class ApplicationsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Adds an application, in the transaction that may make its access tokens.
   *
   * @throws DomainError CONFLICT if the id is taken, in upper or lower case (host names ignore case)
   */
  async insert(executor: Executor, { at, ...values }: NewApplication): Promise<Application> {
    try {
      const userHashRequiredAt = values.requireUserHash === true ? at : null;
      const contactsSince = (values.frequencyCaps ?? []).length > 0 ? at : null;
      await executor
        .getRepository(ApplicationEntity)
        .insert({ ...values, userHashRequiredAt, contactsSince, createdAt: at, updatedAt: at });
    } catch (error) {
      if (uniqueViolation(error))
        throw new DomainError('CONFLICT', `An application with the id ${values.appId} exists`);
      throw error;
    }
    const made = await this.find(executor, values.appId);
    if (!made) throw new Error(`Application ${values.appId} was written and is not there`);
    return made;
  }

  /** The application, or null. */
  async find(executor: Executor, appId: string): Promise<Application | null> {
    return executor.getRepository(ApplicationEntity).findOneBy({ appId });
  }

  /**
   * Finds the id of the application that the first label of a host name names, or null. Host names ignore case, so no
   * two ids differ by case only.
   */
  async findIdByLabel(label: string): Promise<string | null> {
    const [found] = await rows<{ appId: string }>(
      this.database,
      sql`SELECT app_id AS "appId" FROM applications WHERE lower(app_id) = ${label.toLowerCase()}`,
    );
    return found?.appId ?? null;
  }

  /** Finds what an application requires of devices that identify their user, or null. */
  async findIdentity(appId: string): Promise<IdentitySettings | null> {
    return this.database.getRepository(ApplicationEntity).findOne({
      where: { appId },
      select: {
        requireUserHash: true,
        clientTags: true,
        protectedAttributes: true,
        identityKeySealed: true,
        formerIdentityKeySealed: true,
        formerIdentityKeyUntil: true,
      },
    });
  }

  /**
   * Replaces the identity keys of an application by what `change` makes of them. Other changes of the application wait meanwhile.
   *
   * @returns what is stored now; null if there is no such application
   */
  async changeIdentityKeys(
    appId: string,
    change: (keys: StoredIdentityKeys) => StoredIdentityKeys,
    at: Date,
  ): Promise<StoredIdentityKeys | null> {
    return inTransaction(this.database, async (executor) => {
      const [found] = await rows<StoredIdentityKeys>(
        executor,
        sql`SELECT identity_key_sealed AS "identityKeySealed", former_identity_key_sealed AS "formerIdentityKeySealed",
              former_identity_key_until AS "formerIdentityKeyUntil"
            FROM applications WHERE app_id = ${appId} FOR NO KEY UPDATE`,
      );
      if (found === undefined) return null;
      const changed = change(found);
      await executor.getRepository(ApplicationEntity).update({ appId }, { ...changed, updatedAt: at });
      return changed;
    });
  }

  /** Lists the applications that began to require user hashes after `since`. */
  async findLatelyGuarded(since: Date): Promise<string[]> {
    const found = await rows<{ appId: string }>(this.database, sql`SELECT app_id AS "appId" ${latelyGuarded(since)}`);
    return found.map(({ appId }) => appId);
  }

  /** Lists every application, by id. */
  async list(): Promise<Application[]> {
    return this.database.getRepository(ApplicationEntity).find({ order: { appId: 'ASC' } });
  }

  /**
   * Applies `changes`, all or none of them. If the application begins to require user hashes, only installations that
   * showed one get messages from then on. If its quiet hours end at other times now, that is noted: deliveries may wait for
   * the end of the former ones (`QuietChangesRepository`).
   *
   * @param revision the one that the application must still have; undefined: any
   * @returns the application as it is now, or null if it does not exist, or has another revision
   */
  async update(
    appId: string,
    changes: Partial<ApplicationSettings>,
    at: Date,
    revision?: number,
  ): Promise<Application | null> {
    return inTransaction(this.database, async (executor) => {
      if (!(await raiseRevision(executor, appId, revision))) return null;
      const applications = executor.getRepository(ApplicationEntity);
      if (changes.requireUserHash === true) {
        await applications.update({ appId, requireUserHash: false }, { requireUserHash: true, userHashRequiredAt: at });
      }
      await markQuietChange(executor, appId, changes, at);
      const counting = changes.frequencyCaps && (await this.#countingUnder(executor, appId, changes.frequencyCaps, at));
      await applications.update({ appId }, { ...changes, ...counting, updatedAt: at });
      return this.find(executor, appId);
    });
  }

  /**
   * Returns from when on campaigns are counted for each user under new caps. If the new caps look further back than
   * the old ones, counting begins anew: older entries may have been deleted, so they are read from the deliveries.
   */
  async #countingUnder(
    executor: Executor,
    appId: string,
    caps: readonly FrequencyCap[],
    at: Date,
  ): Promise<{ contactsSince?: Date | null }> {
    const [before] = await rows<{ caps: FrequencyCap[] }>(
      executor,
      sql`SELECT frequency_caps AS caps FROM applications WHERE app_id = ${appId} FOR NO KEY UPDATE`,
    );
    const longest = longestOf(caps);
    if (longest === 0) return { contactsSince: null };
    return longest > longestOf(before?.caps ?? []) ? { contactsSince: at } : {};
  }
}

/**
 * Raises the revision of an application, and locks its row until the end of the transaction.
 *
 * @returns false if there is no such application, or it has another revision than `revision`
 */
async function raiseRevision(executor: Executor, appId: string, revision: number | undefined): Promise<boolean> {
  const raised = await rows(
    executor,
    sql`UPDATE applications SET settings_revision = settings_revision + 1
        WHERE app_id = ${appId} AND settings_revision = coalesce(${revision ?? null}::integer, settings_revision)
        RETURNING app_id`,
  );
  return raised.length > 0;
}

/** Notes that quiet hours end at other times from now on. Call it before the change, in its transaction. */
async function markQuietChange(
  executor: Executor,
  appId: string,
  { quietHours, defaultTimeZone }: Partial<ApplicationSettings>,
  at: Date,
): Promise<void> {
  if (quietHours === undefined && defaultTimeZone === undefined) return;
  const hours = quietHours === undefined ? sql`quiet_hours` : sql`${quietHours && JSON.stringify(quietHours)}::jsonb`;
  const zone = defaultTimeZone === undefined ? sql`default_time_zone` : sql`${defaultTimeZone}::text`;
  await rows(
    executor,
    sql`UPDATE applications SET quiet_hours_changed_at = ${at}
        WHERE app_id = ${appId} AND quiet_hours IS NOT NULL
          AND (quiet_hours IS DISTINCT FROM ${hours} OR default_time_zone IS DISTINCT FROM ${zone})`,
  );
}

/** How far back the longest cap looks, in seconds. 0: there is no cap. */
function longestOf(caps: readonly FrequencyCap[]): number {
  return Math.max(0, ...caps.map(({ seconds }) => seconds));
}
