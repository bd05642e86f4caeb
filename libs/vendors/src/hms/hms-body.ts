import type { Clock, JsonObject } from '@postrider/domain';
import type { LateBody } from '../http1/http-client';
import { type MessageEnd, ttlSecondsAt } from '../remaining-life';
import type { HmsBatch } from './hms-batches';

const MAX_TTL_SECONDS = 1_296_000;
/** Room for the longest ttl; blanks may stand between the tokens of JSON (RFC 8259 §2). */
const TTL_BYTES = `"${MAX_TTL_SECONDS}s"`.length;
const BEFORE_TTL = '{"validate_only":false,"message":{"android":{"ttl":';

/** The body of a `messages:send` for a batch: made once, its `android.ttl` filled in when it is written. */
export class HmsBody implements LateBody {
  readonly bytes: Buffer;
  readonly #end: MessageEnd;

  constructor(
    { payload, end, waiting }: HmsBatch,
    private readonly clock: Clock,
  ) {
    const { android, ...rest } = payload.message as { android?: JsonObject } & JsonObject;
    const androidRest = { ...android };
    Reflect.deleteProperty(androidRest, 'ttl');
    const message = { ...rest, token: [...waiting.keys()] };
    const androidMembers = JSON.stringify(androidRest).slice(1, -1);
    const afterTtl = `${androidMembers === '' ? '' : `,${androidMembers}`}},${JSON.stringify(message).slice(1)}}`;
    this.bytes = Buffer.from(BEFORE_TTL + ' '.repeat(TTL_BYTES) + afterTtl);
    this.#end = end;
  }

  beforeWrite(): boolean {
    const now = this.clock.now().getTime();
    if (now >= this.#end.lastCallAt) return false;
    const ttlSeconds = Math.min(ttlSecondsAt(now, this.#end), MAX_TTL_SECONDS);
    this.bytes.write(`"${ttlSeconds}s"`.padEnd(TTL_BYTES), BEFORE_TTL.length, 'latin1');
    return true;
  }
}
