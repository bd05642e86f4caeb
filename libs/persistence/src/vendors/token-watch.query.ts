import { type TokenAnswers, type TokenWatch } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { VendorKey } from './vendor-troubles.query';

/** What all workers together know of a vendor's answers about an application's tokens. */
export interface KnownTokenAnswers {
  watch: TokenWatch;
  isQuarantined: boolean;
  trustedUntil: Date | null;
  /** What was believed of the last days, the last one and silent tokens left out: what is normal. */
  before: TokenAnswers;
  /** Answers of the last days, silent tokens left out. */
  known: number;
  /** Everything of the last day. */
  day: TokenAnswers;
}

/** Answers about tokens, to be added to what is known. */
export interface CountedTokenAnswers extends TokenAnswers {
  silentAnswers: number;
  silentDead: number;
}

const DAY_MS = 86_400_000;
/** What was longer ago says nothing about what is normal. */
const REMEMBERED_DAYS = 8;

/**
 * Reads what is known of a vendor's answers, and keeps it from everybody else until the transaction ends: so answers are
 * counted one worker after the other, and none switches a token off while another begins a quarantine.
 *
 * @returns null when there is no such application any more
 */
export async function lockTokenWatch(
  executor: Executor,
  { appId, vendor }: VendorKey,
  now: Date,
): Promise<KnownTokenAnswers | null> {
  const [watch] = await rows<TokenWatch & Pick<KnownTokenAnswers, 'isQuarantined' | 'trustedUntil'>>(executor, LOCK, [
    appId,
    vendor,
  ]);
  if (watch === undefined) return null;
  const since = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
  const [sums] = await rows<Record<'answers' | 'believed' | 'known' | 'dayAnswers' | 'dayDead', number>>(
    executor,
    SUM,
    [appId, vendor, since(REMEMBERED_DAYS), since(1)],
  );
  const { isQuarantined, trustedUntil, ...counted } = watch;
  const { answers = 0, believed = 0, known = 0, dayAnswers = 0, dayDead = 0 } = sums ?? {};
  return {
    watch: counted,
    isQuarantined,
    trustedUntil,
    before: { answers, dead: believed },
    known,
    day: { answers: dayAnswers, dead: dayDead },
  };
}

/** Writes what the watch remembers now, and counts answers. In the transaction that has locked it. */
export async function saveTokenWatch(
  executor: Executor,
  { appId, vendor }: VendorKey,
  watch: TokenWatch,
  counted: CountedTokenAnswers,
  now: Date,
): Promise<void> {
  await rows(executor, SAVE, [
    ...[appId, vendor, watch.excess, watch.answers, watch.dead],
    ...[now, counted.answers, counted.dead, counted.silentAnswers, counted.silentDead, watch.drift],
  ]);
}

/** Deletes counts of answers that nobody looks at any more. @returns how many went */
export async function deleteOldTokenAnswers(executor: Executor, before: Date, limit: number): Promise<number> {
  const gone = await rows(
    executor,
    `DELETE FROM token_answers WHERE (app_id, vendor, hour) IN (
       SELECT app_id, vendor, hour FROM token_answers WHERE hour < $1 ORDER BY hour LIMIT $2
     )
     RETURNING 1`,
    [before, limit],
  );
  return gone.length;
}

const LOCK = `
  INSERT INTO vendor_troubles AS t (app_id, vendor) SELECT app_id, $2 FROM applications WHERE app_id = $1
  ON CONFLICT (app_id, vendor) DO UPDATE SET vendor = excluded.vendor
  RETURNING watch_excess::float8 AS excess, watch_drift::float8 AS drift, watch_answers AS answers, watch_dead AS dead,
    quarantined_since IS NOT NULL AS "isQuarantined", trusted_until AS "trustedUntil"`;

const SUM = `
  SELECT
    coalesce(sum(answers) FILTER (WHERE hour < $4), 0)::float8 AS answers,
    coalesce(sum(believed) FILTER (WHERE hour < $4), 0)::float8 AS believed,
    coalesce(sum(answers), 0)::float8 AS known,
    coalesce(sum(answers + silent_answers) FILTER (WHERE hour >= $4), 0)::float8 AS "dayAnswers",
    coalesce(sum(dead + silent_dead) FILTER (WHERE hour >= $4), 0)::float8 AS "dayDead"
  FROM token_answers WHERE app_id = $1 AND vendor = $2 AND hour >= $3`;

const SAVE = `
  WITH watch AS (
    UPDATE vendor_troubles SET watch_excess = $3, watch_answers = $4, watch_dead = $5, watch_drift = $11
    WHERE app_id = $1 AND vendor = $2
    RETURNING app_id
  )
  INSERT INTO token_answers AS t (app_id, vendor, hour, answers, dead, silent_answers, silent_dead)
  SELECT app_id, $2, date_trunc('hour', $6::timestamptz), $7, $8, $9, $10 FROM watch
  ON CONFLICT (app_id, vendor, hour) DO UPDATE SET answers = t.answers + excluded.answers, dead = t.dead + excluded.dead,
    silent_answers = t.silent_answers + excluded.silent_answers, silent_dead = t.silent_dead + excluded.silent_dead`;
