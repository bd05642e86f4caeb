import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  LOGGER,
  type Logger,
  newId,
  PhoneDigest,
  SecretBox,
  secretKeysOf,
} from '@postrider/platform';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { whenAvailable } from '../database/open-database';
import { SEAL_CONTEXTS } from '../sealed/seal-contexts';
import { sql } from '../sql';

const KEY_BYTES = 32;

interface StoredKey {
  phoneKeyId: string;
  sealed: Buffer;
}

/**
 * The keys of the digests of opted-out numbers: a random one, made by the first process that needs it, and those that
 * earlier versions derived from `SECRET_KEY`. They are stored sealed, so that they stay valid when `SECRET_KEY` is
 * changed.
 */
@Injectable()
export class PhoneKeys implements OnApplicationBootstrap {
  #digest: PhoneDigest | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'secretKey' | 'secretKeyPrevious'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly box: SecretBox,
  ) {}

  /** Makes the keys while the `SECRET_KEY` from which earlier versions derived theirs is still known. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      await whenAvailable(() => this.digest(), this.logger);
    } catch (error) {
      this.logger.error({ err: error }, 'phone-keys.unread');
    }
  }

  /** @throws UnopenedSeal if a key does not open: then nobody knows who opted out, and no SMS can be sent */
  async digest(): Promise<PhoneDigest> {
    this.#digest ??= await this.#read();
    return this.#digest;
  }

  async #read(): Promise<PhoneDigest> {
    const [inUse, ...former] = await this.#stored();
    return new PhoneDigest([this.#open(inUse), ...former.map((stored) => this.#open(stored))]);
  }

  /** The key in use comes first. The first process that stores a key decides which is in use. */
  async #stored(): Promise<[StoredKey, ...StoredKey[]]> {
    const [inUse, ...former] = await findKeys(this.database);
    if (inUse) return [inUse, ...former];
    await inTransaction(this.database, async (executor) => {
      if (!(await this.#store(executor, randomBytes(KEY_BYTES), true))) return;
      for (const secretKey of secretKeysOf(this.config)) {
        await this.#store(executor, PhoneDigest.formerKeyOf(secretKey), false);
      }
    });
    return this.#stored();
  }

  /** @returns true if the key is stored; false if another process was the first to store the key in use */
  async #store(executor: Executor, key: Buffer, isInUse: boolean): Promise<boolean> {
    const id = newId();
    const stored = await rows(
      executor,
      sql`INSERT INTO phone_keys (phone_key_id, sealed, is_in_use)
          VALUES (${id}, ${this.box.seal(key.toString('base64'), SEAL_CONTEXTS.phoneKey(id))}, ${isInUse})
          ON CONFLICT (is_in_use) WHERE is_in_use DO NOTHING RETURNING 1`,
    );
    return stored.length > 0;
  }

  #open({ phoneKeyId, sealed }: StoredKey): Buffer {
    return Buffer.from(this.box.open<string>(sealed, SEAL_CONTEXTS.phoneKey(phoneKeyId)), 'base64');
  }
}

function findKeys(executor: Executor): Promise<StoredKey[]> {
  return rows<StoredKey>(
    executor,
    sql`SELECT phone_key_id AS "phoneKeyId", sealed FROM phone_keys ORDER BY is_in_use DESC, created_at, phone_key_id`,
  );
}
