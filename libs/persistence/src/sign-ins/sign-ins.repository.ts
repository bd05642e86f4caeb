import { Inject, Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { type Database, DATABASE, rows } from '../database/executor';
import { parameter, sql } from '../sql';
import { EndedSessionEntity } from './sign-in-failure.entity';

/** How many windows that are over each new one deletes, so that the table stays as large as a minute's addresses. */
const FORGOTTEN_AT_ONCE = 20;

/** The sign-ins of operators, shared by all gateways: wrong tokens by network address, and sessions that were ended. */
@Injectable()
export class SignInsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Counts a wrong token from an address. Its window begins with the first one and lasts `windowSeconds`. Two at the
   * same time are both counted.
   *
   * @returns how many there were within the window, and how many seconds are left of it
   */
  async countFailure(from: string, windowSeconds: number): Promise<{ failures: number; secondsLeft: number }> {
    const address = parameter(from);
    const [counted] = await rows<{ failures: number; secondsLeft: number }>(
      this.database,
      sql`WITH forgotten AS (
            DELETE FROM sign_in_failures WHERE address IN (
              SELECT address FROM sign_in_failures WHERE ends_at <= now() AND address <> ${address}
              ORDER BY ends_at LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED
            )
          )
          INSERT INTO sign_in_failures AS noted (address, failures, ends_at)
          VALUES (${address}, 1, now() + ${windowSeconds} * interval '1 second')
          ON CONFLICT (address) DO UPDATE SET
            failures = CASE WHEN noted.ends_at > now() THEN noted.failures + 1 ELSE 1 END,
            ends_at = CASE WHEN noted.ends_at > now() THEN noted.ends_at ELSE excluded.ends_at END
          RETURNING failures, ceil(extract(epoch FROM ends_at - now()))::int AS "secondsLeft"`,
    );
    return counted ?? { failures: 1, secondsLeft: windowSeconds };
  }

  /**
   * Ends a session for all gateways. Safe to repeat. It deletes sessions whose time was over at `now`.
   *
   * @param until when the session would have ended by itself
   */
  async endSession(sessionId: string, until: Date, now: Date): Promise<void> {
    const sessions = this.database.getRepository(EndedSessionEntity);
    await sessions.upsert({ sessionId, forgetAt: until }, ['sessionId']);
    await sessions.delete({ forgetAt: LessThan(now) });
  }

  /** True if a session was ended. */
  async isSessionEnded(sessionId: string): Promise<boolean> {
    return this.database.getRepository(EndedSessionEntity).existsBy({ sessionId });
  }
}
