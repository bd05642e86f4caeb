import { type ClientTags, DomainError, type QuietHours } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { uniqueViolation } from '../database/unique-violation';
import { ApplicationEntity } from './application.entity';

/** An application and its settings, without its secrets. */
export interface Application {
  appId: string;
  name: string;
  defaultAlertText: string;
  defaultRegion: string | null;
  requireUserHash: boolean;
  /** Whose tags the key that ships inside an app may edit. */
  clientTags: ClientTags;
  /** Attributes that a device sets only when it proves its user. */
  protectedAttributes: string[];
  promoExhausted: 'send_without' | 'skip';
  requestsPerSecond: number | null;
  /** Null: as many as the vendors take. */
  devicesPerSecond: number | null;
  quietHours: QuietHours | null;
  /** Where a device is that does not say where it is; null: UTC. */
  defaultTimeZone: string | null;
  /** Hosts that its tracker links may lead to; none: those that its trackers name. */
  linkHosts: string[];
  /** Schemes of apps that its tracker links may open; none: any that is not dangerous. */
  linkSchemes: string[];
  /** Whether a deferred deep link is also found by network address and user agent. */
  matchByAddress: boolean;
  /** How long a deep link waits for its app to be installed. */
  deferredLinkMinutes: number;
  /** How long after a message was opened a conversion counts for it. */
  conversionWindowHours: number;
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
  | 'linkHosts'
  | 'linkSchemes'
  | 'matchByAddress'
  | 'deferredLinkMinutes'
  | 'conversionWindowHours'
>;

/** A new application: what is left out takes its default. */
export type NewApplication = Partial<ApplicationSettings> & {
  appId: string;
  name: string;
  identityKeySealed: Buffer;
  at: Date;
};

/**
 * Adds an application.
 *
 * @throws DomainError CONFLICT when one has that id, in any case of letters (a host name knows no case)
 */
export async function insertApplication(executor: Executor, { at, ...values }: NewApplication): Promise<Application> {
  try {
    const userHashRequiredAt = values.requireUserHash === true ? at : null;
    await executor
      .getRepository(ApplicationEntity)
      .insert({ ...values, userHashRequiredAt, createdAt: at, updatedAt: at });
  } catch (error) {
    if (uniqueViolation(error)) throw new DomainError('CONFLICT', `An application with the id ${values.appId} exists`);
    throw error;
  }
  const made = await findApplication(executor, values.appId);
  if (!made) throw new Error(`Application ${values.appId} was written and is not there`);
  return made;
}

/** The application, or null. */
export async function findApplication(executor: Executor, appId: string): Promise<Application | null> {
  return executor.getRepository(ApplicationEntity).findOneBy({ appId });
}

/** Every application, by id. */
export async function listApplications(executor: Executor): Promise<Application[]> {
  return executor.getRepository(ApplicationEntity).find({ order: { appId: 'ASC' } });
}

/**
 * Changes what `changes` names. Where it begins to require user hashes, only installations that showed one count from then on.
 *
 * @returns the application as it is now, or null when there is none
 */
export async function updateApplication(
  executor: Executor,
  appId: string,
  changes: Partial<ApplicationSettings>,
  at: Date,
): Promise<Application | null> {
  const applications = executor.getRepository(ApplicationEntity);
  if (changes.requireUserHash === true) {
    await applications.update({ appId, requireUserHash: false }, { requireUserHash: true, userHashRequiredAt: at });
  }
  await applications.update({ appId }, { ...changes, updatedAt: at });
  return findApplication(executor, appId);
}

/** Removes the application's own row, and with it everything that refers to it. */
export async function deleteApplicationRow(executor: Executor, appId: string): Promise<void> {
  await executor.getRepository(ApplicationEntity).delete({ appId });
}

/** What an application asks of devices that say whose they are. */
export type IdentitySettings = Pick<Application, 'requireUserHash' | 'clientTags' | 'protectedAttributes'> & {
  /** Sealed in the context `identity:<appId>`. */
  identityKeySealed: Buffer;
};

/** What an application asks of devices that say whose they are, or null. */
export async function findIdentity(executor: Executor, appId: string): Promise<IdentitySettings | null> {
  return executor.getRepository(ApplicationEntity).findOne({
    where: { appId },
    select: { requireUserHash: true, clientTags: true, protectedAttributes: true, identityKeySealed: true },
  });
}
