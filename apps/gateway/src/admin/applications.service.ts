import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type {
  ApplicationChangesRequest,
  ApplicationResponse,
  NewApplicationRequest,
  NewApplicationResponse,
} from '@postrider/contracts';
import { type Clock, DomainError, type Scope } from '@postrider/domain';
import {
  type Application,
  closeUnprovedConnections,
  type Database,
  DATABASE,
  type Executor,
  findApplication,
  insertApplication,
  insertToken,
  inTransaction,
  listApplications,
  steerOpenPages,
  updateApplication,
} from '@postrider/persistence';
import { CLOCK, generateAccessToken, hashAccessToken, newId, SecretBox } from '@postrider/platform';
import { EdgeHints } from '@postrider/queues';
import { UserIdentity } from '../installations/user-identity.service';
import { CountUnproved } from './count-unproved.service';

const IDENTITY_KEY_BYTES = 32;

/** Makes, reads and changes applications. */
@Injectable()
export class Applications {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly secretBox: SecretBox,
    private readonly identity: UserIdentity,
    private readonly edgeHints: EdgeHints,
    private readonly countUnproved: CountUnproved,
  ) {}

  /**
   * Makes an application with a token for its backend, one for its app, and an identity key; they are shown this once.
   *
   * @throws DomainError CONFLICT
   */
  async create({ id, ...settings }: NewApplicationRequest): Promise<NewApplicationResponse> {
    const identityKey = randomBytes(IDENTITY_KEY_BYTES).toString('hex');
    const identityKeySealed = this.secretBox.seal(identityKey, `identity:${id}`);
    return inTransaction(this.database, async (executor) => {
      const { name } = await insertApplication(executor, {
        ...settings,
        appId: id,
        identityKeySealed,
        at: this.clock.now(),
      });
      const server = await this.#addToken(executor, id, 'server', ['server']);
      const client = await this.#addToken(executor, id, 'client', ['devices']);
      return { id, name, tokens: { server, client }, identityKey };
    });
  }

  async list(): Promise<ApplicationResponse[]> {
    return (await listApplications(this.database)).map(showApplication);
  }

  /** With how many devices have not proved their user. @throws DomainError NOT_FOUND */
  async find(appId: string): Promise<ApplicationResponse> {
    const found = await findApplication(this.database, appId);
    if (!found) throw unknownApplication();
    return Object.assign(showApplication(found), { unprovedDevices: await this.countUnproved.of(appId) });
  }

  /** @throws DomainError NOT_FOUND */
  async change(appId: string, changes: ApplicationChangesRequest): Promise<ApplicationResponse> {
    const changed = await inTransaction(this.database, (executor) =>
      updateApplication(executor, appId, changes, this.clock.now()),
    );
    if (!changed) throw unknownApplication();
    this.identity.forget(appId);
    if (changes.requireUserHash) this.edgeHints.tellClosures(await closeUnprovedConnections(this.database, appId));
    // What is under way keeps to it as well.
    if (changes.devicesPerSecond || changes.quietHours) await steerOpenPages(this.database, appId);
    return showApplication(changed);
  }

  async #addToken(executor: Executor, appId: string, name: string, scopes: Scope[]): Promise<string> {
    const token = generateAccessToken();
    const createdAt = this.clock.now();
    await insertToken(executor, {
      appId,
      tokenId: newId(),
      name,
      scopes,
      createdAt,
      tokenHash: hashAccessToken(token),
    });
    return token;
  }
}

/** The answer for an application that there is not. */
export function unknownApplication(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such application');
}

function showApplication({ appId, createdAt, updatedAt, ...settings }: Application): ApplicationResponse {
  return {
    id: appId,
    name: settings.name,
    defaultAlertText: settings.defaultAlertText,
    defaultRegion: settings.defaultRegion,
    requireUserHash: settings.requireUserHash,
    clientTags: settings.clientTags,
    protectedAttributes: settings.protectedAttributes,
    promoExhausted: settings.promoExhausted,
    requestsPerSecond: settings.requestsPerSecond,
    linkHosts: settings.linkHosts,
    linkSchemes: settings.linkSchemes,
    matchByAddress: settings.matchByAddress,
    deferredLinkMinutes: settings.deferredLinkMinutes,
    conversionWindowHours: settings.conversionWindowHours,
    devicesPerSecond: settings.devicesPerSecond,
    quietHours: settings.quietHours,
    defaultTimeZone: settings.defaultTimeZone,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
