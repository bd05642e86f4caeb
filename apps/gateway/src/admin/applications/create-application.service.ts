import { Inject, Injectable } from '@nestjs/common';
import type { NewApplicationRequest, NewApplicationResponse } from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import { ApplicationsRepository, type Database, DATABASE, inTransaction, SEAL_CONTEXTS } from '@postrider/persistence';
import { CLOCK, SecretBox } from '@postrider/platform';
import { generateIdentityKey } from './identity-keys.service';
import { Tokens } from './tokens.service';

/** Makes applications. */
@Injectable()
export class CreateApplication {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly secretBox: SecretBox,
    private readonly applications: ApplicationsRepository,
    private readonly tokens: Tokens,
  ) {}

  /**
   * Makes an application with an access token for its backend, one for its app, and an identity key. This answer is the
   * only one that shows them.
   *
   * @throws DomainError CONFLICT
   */
  async create({ id, ...settings }: NewApplicationRequest): Promise<NewApplicationResponse> {
    const identityKey = generateIdentityKey();
    const identityKeySealed = this.secretBox.seal(identityKey, SEAL_CONTEXTS.identityKey(id));
    return inTransaction(this.database, async (executor) => {
      const { name } = await this.applications.insert(executor, {
        ...settings,
        appId: id,
        identityKeySealed,
        at: this.clock.now(),
      });
      const server = await this.tokens.add(executor, id, { name: 'server', scopes: ['server'] });
      const client = await this.tokens.add(executor, id, { name: 'client', scopes: ['devices'] });
      return { id, name, tokens: { server: server.token, client: client.token }, identityKey };
    });
  }
}
