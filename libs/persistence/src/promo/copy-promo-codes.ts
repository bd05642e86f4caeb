import { once } from 'node:events';
import type { Duplex, Writable } from 'node:stream';
import { from } from 'pg-copy-streams';
import type { EntityManager } from 'typeorm';
import type { Executor } from '../database/executor';
import { PROMO_BLOCK_CODES, type PromoSetKey } from './promo-set';

/** The part of `pg`'s client that COPY needs. TypeORM types the client as `any`. */
interface CopyClient {
  query(stream: Writable): Writable;
  connection: { stream: Duplex };
}

/** A COPY of codes into a set, with back-pressure. */
export interface PromoCodeWriter {
  /** Appends codes in order. They contain no control characters. */
  write(codes: readonly string[]): Promise<void>;
  /** Ends the COPY. @returns the number of the next row */
  end(): Promise<number>;
  /** Aborts the COPY, and with it the transaction and its connection. */
  abort(): void;
}

/**
 * Starts copying codes into a set, in the transaction of `executor`. Nothing else can run in it until `end`.
 *
 * @param firstBlock the number of the first row of `promo_codes`
 */
export async function copyPromoCodes(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  firstBlock: number,
): Promise<PromoCodeWriter> {
  const client = (await (executor as EntityManager).queryRunner?.connect()) as CopyClient | undefined;
  if (!client) throw new Error('Codes are copied in a transaction');
  const copy = client.query(from(`COPY promo_codes (app_id, set_id, number, codes) FROM STDIN`));
  let broken: Error | undefined;
  copy.on('error', (error: Error) => (broken ??= error));
  const prefix = `${escapeText(appId)}\t${setId}\t`;
  let number = firstBlock;
  copy.on('close', () => (broken ??= brokenOff()));
  let waiting: readonly string[] = [];
  const send = async (codes: readonly string[], end: number): Promise<void> => {
    if (broken) throw broken;
    let text = '';
    for (let start = 0; start < end; start += PROMO_BLOCK_CODES) {
      text += `${prefix}${number}\t${joinCodes(codes.slice(start, start + PROMO_BLOCK_CODES))}\n`;
      number += 1;
    }
    if (text !== '' && !copy.write(text)) await eventOf(copy, 'drain');
  };
  return {
    write: async (codes) => {
      const all = waiting.length > 0 ? [...waiting, ...codes] : codes;
      const full = all.length - (all.length % PROMO_BLOCK_CODES);
      waiting = all.slice(full);
      await send(all, full);
    },
    end: async () => {
      await send(waiting, waiting.length);
      const finished = eventOf(copy, 'finish');
      copy.end();
      await finished;
      return number;
    },
    // A regular end would wait for answers on a connection that may itself be broken.
    abort: () => {
      copy.destroy();
      client.connection.stream.destroy();
    },
  };
}

/** The error if the connection ends without a message: connection_failure (PostgreSQL, Appendix A). */
function brokenOff(): Error {
  return Object.assign(new Error('The COPY was broken off'), { code: '08006' });
}

/** Waits for an event of a stream that may break, or may be broken already. Such a stream may emit only its close. */
async function eventOf(stream: Writable, event: 'drain' | 'finish'): Promise<void> {
  if (stream.destroyed) throw brokenOff();
  // A large file waits often: each wait takes its listeners away again.
  const over = new AbortController();
  const { signal } = over;
  const closed = once(stream, 'close', { signal }).then(() => Promise.reject(brokenOff()));
  try {
    await Promise.race([once(stream, event, { signal }), closed]);
  } finally {
    over.abort();
  }
}

/** PostgreSQL, COPY, Text Format: a newline between two codes is written `\n`, and a backslash is doubled. */
function joinCodes(codes: readonly string[]): string {
  const text = codes.join('\n');
  return (text.includes('\\') ? text.replaceAll('\\', '\\\\') : text).replaceAll('\n', '\\n');
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}
