import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTasks } from '../runtime/periodic-tasks.service';
import { SessionRegistry } from '../session/session-registry';
import { AccessTokenLookup } from './access-token-lookup.service';

const LOOK_EVERY_MS = 1_500;

/** Closes the connections that were admitted with an access token that is revoked by now. */
@Injectable()
export class RevokedAccessTokens implements OnApplicationBootstrap {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly accessTokens: AccessTokenLookup,
    private readonly tasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.tasks.every(LOOK_EVERY_MS, 'tokens', () => this.#closeRevoked());
  }

  async #closeRevoked(): Promise<void> {
    const keys = new Set<string>();
    for (const { identity } of this.registry.connected()) if (identity) keys.add(identity.accessTokenKey);
    const revoked = await this.accessTokens.findRevoked([...keys]);
    if (revoked.size === 0) return;
    for (const session of [...this.registry.connected()]) {
      if (session.identity && revoked.has(session.identity.accessTokenKey)) session.close('token_revoked');
    }
  }
}
