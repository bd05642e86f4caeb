import { LessThan } from 'typeorm';
import { type Executor, rows } from '../database/executor';
import { EndedSessionEntity } from './ended-session.entity';

/** Windows that are over and are deleted with each new one, so that the table stays as large as a minute's addresses. */
const FORGOTTEN_AT_ONCE = 20;

/**
 * Notes a wrong token from an address. Its window begins with the first one and lasts `windowSeconds`.
 *
 * @returns how many there were within the window, and how many seconds are left of it
 */
export async function noteSignInFailure(
  executor: Executor,
  address: string,
  windowSeconds: number,
): Promise<{ failures: number; secondsLeft: number }> {
  const [noted] = await rows<{ failures: number; secondsLeft: number }>(
    executor,
    `WITH forgotten AS (
       DELETE FROM sign_in_failures WHERE address IN (
         SELECT address FROM sign_in_failures WHERE ends_at <= now() AND address <> $1
         ORDER BY ends_at LIMIT $3 FOR UPDATE SKIP LOCKED
       )
     )
     INSERT INTO sign_in_failures AS noted (address, failures, ends_at)
     VALUES ($1, 1, now() + $2 * interval '1 second')
     ON CONFLICT (address) DO UPDATE SET
       failures = CASE WHEN noted.ends_at > now() THEN noted.failures + 1 ELSE 1 END,
       ends_at = CASE WHEN noted.ends_at > now() THEN noted.ends_at ELSE excluded.ends_at END
     RETURNING failures, ceil(extract(epoch FROM ends_at - now()))::int AS "secondsLeft"`,
    [address, windowSeconds, FORGOTTEN_AT_ONCE],
  );
  return noted ?? { failures: 1, secondsLeft: windowSeconds };
}

/**
 * Ends a session for all gateways; ending it twice does no harm. Forgets those whose time was over at `now`.
 *
 * @param until when it would have ended by itself
 */
export async function endSession(executor: Executor, sessionId: string, until: Date, now: Date): Promise<void> {
  const sessions = executor.getRepository(EndedSessionEntity);
  await sessions.upsert({ sessionId, forgetAt: until }, ['sessionId']);
  await sessions.delete({ forgetAt: LessThan(now) });
}

/** Whether a session was ended. */
export async function isSessionEnded(executor: Executor, sessionId: string): Promise<boolean> {
  return executor.getRepository(EndedSessionEntity).existsBy({ sessionId });
}
