import { Injectable } from '@nestjs/common';
import { HOUR_MS, MINUTE_MS } from '@postrider/domain';
import { SecretBox } from '@postrider/platform';
import { QueuePool } from '../client/queue-pool';

/** A token lives at most as long as Apple accepts it, and is not renewed more often than Apple allows. */
const LIFE_MS = HOUR_MS;
const LEAST_AGE_MS = 20 * MINUTE_MS;

/**
 * KEYS: the token. ARGV: the offered token, the time after which the stored one must have been issued to stay, its life
 * and its least age. The age is by the clock of Redis, so that processes with different clocks do not renew it in
 * turns.
 */
const SHARE = `
local held = redis.call('GET', KEYS[1])
if held then
  local issued = tonumber(string.match(held, '^%d+'))
  local age = tonumber(ARGV[3]) - redis.call('PTTL', KEYS[1])
  if issued and (issued > tonumber(ARGV[2]) or age < tonumber(ARGV[4])) then return held end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return ARGV[1]`;

/** A token and when it was made, in milliseconds since 1970. */
interface SharedToken {
  readonly value: string;
  readonly issuedAt: number;
}

/**
 * Tokens that all processes use (APNs counts new ones by key, whoever made them), sealed in Redis under `<name>`. If
 * several are offered at the same time, one is stored, and none within 20 minutes of another.
 */
@Injectable()
export class SharedTokens {
  constructor(
    private readonly queues: QueuePool,
    private readonly box: SecretBox,
  ) {}

  /**
   * Returns the token that all use. That is the stored one, unless there is none or it was not issued after
   * `renewBefore`: then `offered` replaces it.
   *
   * @throws QueueUnavailable, within about a second; Error if the stored one was sealed under another key
   */
  async share(name: string, offered: SharedToken, renewBefore: number): Promise<SharedToken> {
    const sealed = `${offered.issuedAt} ${this.box.seal(offered.value, name).toString('base64')}`;
    const held = await this.queues.run(SHARE, name, [sealed, renewBefore, LIFE_MS, LEAST_AGE_MS]);
    if (held === sealed) return offered;
    const [issuedAt = '', text = ''] = held.split(' ');
    return { value: this.box.open<string>(Buffer.from(text, 'base64'), name), issuedAt: Number(issuedAt) };
  }
}
