import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentityKeyResponse, NewIdentityKeyRequest } from '@postrider/contracts';
import { type Clock, SECOND_MS } from '@postrider/domain';
import { ApplicationsRepository, SEAL_CONTEXTS, type StoredIdentityKeys } from '@postrider/persistence';
import { CLOCK, SecretBox, unlessUnopened } from '@postrider/platform';
import { Applications, unknownApplication } from './applications.service';
import { SettingsEffects } from './settings-effects.service';

const IDENTITY_KEY_BYTES = 32;

/** Makes a key under which a backend proves its users. */
export function generateIdentityKey(): string {
  return randomBytes(IDENTITY_KEY_BYTES).toString('hex');
}

/** Replaces the identity keys of applications. They are sealed, and shown once. */
@Injectable()
export class IdentityKeys {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly secretBox: SecretBox,
    private readonly stored: ApplicationsRepository,
    private readonly applications: Applications,
    private readonly effects: SettingsEffects,
  ) {}

  /**
   * Gives an application another identity key. The present one proves users beside it for `formerValidSeconds`, older ones no
   * longer do. Devices that have proved their user stay proved. This gateway follows at once, others within 4 s.
   *
   * @throws DomainError NOT_FOUND; CONFLICT if the application is being removed
   */
  async rotate(
    appId: string,
    { identityKey = generateIdentityKey(), formerValidSeconds }: NewIdentityKeyRequest,
  ): Promise<IdentityKeyResponse> {
    await this.applications.checkStays(appId);
    const now = this.clock.now();
    const until = new Date(now.getTime() + formerValidSeconds * SECOND_MS);
    const withAnother = (keys: StoredIdentityKeys): StoredIdentityKeys => {
      const former = until > now ? this.#formerOf(appId, keys, identityKey, now) : null;
      const hasFormer = former !== null;
      return {
        identityKeySealed: this.secretBox.seal(identityKey, SEAL_CONTEXTS.identityKey(appId)),
        formerIdentityKeySealed: hasFormer ? this.secretBox.seal(former, SEAL_CONTEXTS.formerIdentityKey(appId)) : null,
        formerIdentityKeyUntil: hasFormer ? until : null,
      };
    };
    const keys = await this.stored.changeIdentityKeys(appId, withAnother, now);
    if (keys === null) throw unknownApplication();
    this.effects.identityKeyChanged(appId);
    return { id: appId, identityKey, formerValidUntil: keys.formerIdentityKeyUntil?.toISOString() ?? null };
  }

  /**
   * The key that stays valid beside `next`: the present one, or, if that is `next` itself, the one before it. So a repeated
   * request changes nothing else. Null: there is none, or it was encrypted with a key that is lost.
   */
  #formerOf(appId: string, keys: StoredIdentityKeys, next: string, now: Date): string | null {
    const { identityKeySealed, formerIdentityKeySealed: former, formerIdentityKeyUntil: formerUntil } = keys;
    const present = this.#open(identityKeySealed, SEAL_CONTEXTS.identityKey(appId));
    if (present !== next) return present;
    if (former === null || formerUntil === null || formerUntil <= now) return null;
    return this.#open(former, SEAL_CONTEXTS.formerIdentityKey(appId));
  }

  #open(sealed: Buffer, context: string): string | null {
    return unlessUnopened(() => this.secretBox.open<string>(sealed, context));
  }
}
