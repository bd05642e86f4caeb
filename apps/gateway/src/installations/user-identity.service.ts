import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { type Database, DATABASE, findIdentity } from '@postrider/persistence';
import { CLOCK, Secret, SecretBox } from '@postrider/platform';
import { ExpiringMap } from '../auth/expiring-map';
import { unauthorized } from '../auth/unauthorized';

const REMEMBERED_MS = 4_000;
const APPLICATIONS = 1_000;

/** What an application asks of those who say who they are. */
interface IdentityRule {
  isRequired: boolean;
  key: Secret | null;
}

/** Checks that a device may speak for the user that it names (device-protocol, `userHash`). */
@Injectable()
export class UserIdentity {
  readonly #rules = new ExpiringMap<IdentityRule>(APPLICATIONS, REMEMBERED_MS);

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly secretBox: SecretBox,
  ) {}

  /**
   * Lets through whoever shows the hash of `userId` (HMAC-SHA256 under the application's identity key, in hexadecimal or
   * base64), and everybody when the application does not require one.
   *
   * @throws DomainError UNAUTHORIZED
   */
  async verify(appId: string, userId: string, userHash: string | null): Promise<void> {
    const rule = await this.#ruleOf(appId);
    if (!rule.isRequired) return;
    if (rule.key === null || userHash === null) throw unauthorized();
    const expected = createHmac('sha256', rule.key.reveal()).update(userId, 'utf8').digest();
    const shown = decode(userHash);
    if (shown?.length !== expected.length || !timingSafeEqual(shown, expected)) throw unauthorized();
  }

  /** Whether the application wants users to be proved. */
  async isRequired(appId: string): Promise<boolean> {
    return (await this.#ruleOf(appId)).isRequired;
  }

  async #ruleOf(appId: string): Promise<IdentityRule> {
    const now = this.clock.now().getTime();
    const known = this.#rules.get(appId, now);
    if (known) return known;
    const found = await findIdentity(this.database, appId);
    const rule: IdentityRule = { isRequired: found?.requireUserHash ?? true, key: null };
    if (found?.requireUserHash) {
      rule.key = new Secret(this.secretBox.open<string>(found.identityKeySealed, `identity:${appId}`));
    }
    this.#rules.set(appId, rule, now);
    return rule;
  }
}

function decode(hash: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(hash)) return Buffer.from(hash, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(hash) ? Buffer.from(hash, 'base64') : null;
}
