import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ApplicationsRepository, SEAL_CONTEXTS, type StoredIdentityKeys } from '@postrider/persistence';
import {
  CLOCK,
  createExpiringCache,
  LOGGER,
  type Logger,
  RepeatedWarning,
  Secret,
  SecretBox,
  UnopenedSeal,
} from '@postrider/platform';
import { type ClientTags, type Clock, DomainError } from '@postrider/domain';
import type { LRUCache } from 'lru-cache';
import { unauthorized } from '../../auth/request-token';

const REMEMBERED_MS = 4_000;
const APPLICATIONS = 1_000;
/** An operator has to act first. */
const UNREADABLE_RETRY_SECONDS = 60;

/** What an application requires of callers that name a user. */
interface IdentityRule {
  isRequired: boolean;
  clientTags: ClientTags;
  protectedAttributes: ReadonlySet<string>;
  /** The present identity key and the former one. None: the application does not exist, and nothing proves anything. */
  keys: readonly IdentityKey[];
}

/** A key that proves users. It is opened when it is first needed. */
interface IdentityKey {
  sealed: Buffer;
  /** The context in which it is sealed. */
  context: string;
  /** Null: until it is replaced. */
  validUntil: Date | null;
  opened: Secret | null;
}

/** What an operator has to know about the present identity key of an application. */
export interface IdentityKeyState {
  isReadable: boolean;
  /** True if devices have to show hashes under it. */
  isRequired: boolean;
}

/** Checks that a device may act for the user that it names. */
@Injectable()
export class UserIdentity {
  readonly #rules: LRUCache<string, IdentityRule>;
  readonly #unusable: RepeatedWarning;

  constructor(
    private readonly applications: ApplicationsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly secretBox: SecretBox,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#unusable = new RepeatedWarning(logger, 'identity-key.unusable');
    this.#rules = createExpiringCache(clock, APPLICATIONS, REMEMBERED_MS);
  }

  /**
   * Accepts the hash of `userId` (HMAC-SHA256 under the application's identity key, or its former one while that is valid, in
   * hexadecimal or base64), and everybody if the application does not require one.
   *
   * @returns true if a hash was sent and is right
   * @throws DomainError UNAUTHORIZED; UNAVAILABLE if no key decrypts the identity key, so that nobody can tell
   */
  async verify(appId: string, userId: string, userHash: string | null): Promise<boolean> {
    const isProved = await this.isShown(appId, userId, userHash);
    if (!isProved && (await this.#ruleOf(appId)).isRequired) throw unauthorized();
    return isProved;
  }

  /**
   * True if `userHash` is the hash of `userId`.
   *
   * @throws DomainError UNAVAILABLE if no key decrypts the identity key, so that nobody can tell. A device is not taken
   * for unproved then: it would lose its proof.
   */
  async isShown(appId: string, userId: string, userHash: string | null): Promise<boolean> {
    const hash = userHash === null ? null : decode(userHash);
    if (hash === null) return false;
    const { keys } = await this.#ruleOf(appId);
    const now = this.clock.now();
    const valid = keys.filter(({ validUntil }) => validUntil === null || validUntil > now);
    const opened = valid.map((key) => this.#open(appId, key));
    if (opened.some((key) => key !== null && isHashOf(userId, hash, key))) return true;
    if (opened.includes(null)) throw unreadableKey();
    return false;
  }

  /** Returns null if the application does not exist. */
  async readKeyState(appId: string): Promise<IdentityKeyState | null> {
    const { keys, isRequired } = await this.#ruleOf(appId);
    const [present] = keys;
    return present === undefined ? null : { isReadable: this.#open(appId, present) !== null, isRequired };
  }

  /** Which users' tags the application lets a `devices` token edit. */
  async clientTagsOf(appId: string): Promise<ClientTags> {
    return (await this.#ruleOf(appId)).clientTags;
  }

  /**
   * Protects attributes from callers who only have the key inside the app.
   *
   * @throws DomainError FORBIDDEN if any of `names` is protected
   */
  async checkUnprotected(appId: string, names: Iterable<string>): Promise<void> {
    const { protectedAttributes } = await this.#ruleOf(appId);
    if (protectedAttributes.size === 0) return;
    const refused = [...names].filter((name) => protectedAttributes.has(name));
    if (refused.length > 0) throw protectedAttribute(refused);
  }

  /** Removes the application's settings from this process's cache: they were changed. */
  forget(appId: string): void {
    this.#rules.delete(appId);
  }

  /** Null if neither `SECRET_KEY` nor the former one decrypts it. */
  #open(appId: string, key: IdentityKey): Secret | null {
    try {
      return (key.opened ??= new Secret(this.secretBox.open<string>(key.sealed, key.context)));
    } catch (error) {
      if (!(error instanceof UnopenedSeal)) throw error;
      this.#unusable.log({ appId, reason: error.message });
      return null;
    }
  }

  async #ruleOf(appId: string): Promise<IdentityRule> {
    const known = this.#rules.get(appId);
    if (known) return known;
    const start = this.clock.steadyMs();
    const found = await this.applications.findIdentity(appId);
    const rule: IdentityRule = {
      isRequired: found?.requireUserHash ?? true,
      clientTags: found?.clientTags ?? 'none',
      protectedAttributes: new Set(found?.protectedAttributes),
      keys: found === null ? [] : keysOf(appId, found),
    };
    this.#rules.set(appId, rule, { start });
    return rule;
  }
}

function keysOf(appId: string, stored: StoredIdentityKeys): IdentityKey[] {
  const { identityKeySealed, formerIdentityKeySealed, formerIdentityKeyUntil } = stored;
  const present = { sealed: identityKeySealed, context: SEAL_CONTEXTS.identityKey(appId), validUntil: null };
  const keys: IdentityKey[] = [{ ...present, opened: null }];
  if (formerIdentityKeySealed !== null) {
    const former = { sealed: formerIdentityKeySealed, context: SEAL_CONTEXTS.formerIdentityKey(appId) };
    keys.push({ ...former, validUntil: formerIdentityKeyUntil, opened: null });
  }
  return keys;
}

/** The answer for an attribute that a device may not set without a proof. */
function protectedAttribute(names: readonly string[]): DomainError {
  return new DomainError(
    'FORBIDDEN',
    `Only the application's backend, or a device that proves its user with userHash, can set ${names.join(', ')}`,
  );
}

function unreadableKey(): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    "userHash cannot be checked until an operator mends the application's identity key; nothing was done",
    { retryAfterSeconds: UNREADABLE_RETRY_SECONDS },
  );
}

function isHashOf(userId: string, hash: Buffer, key: Secret): boolean {
  const expected = createHmac('sha256', key.reveal()).update(userId, 'utf8').digest();
  return hash.length === expected.length && timingSafeEqual(hash, expected);
}

function decode(hash: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(hash)) return Buffer.from(hash, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(hash) ? Buffer.from(hash, 'base64') : null;
}
