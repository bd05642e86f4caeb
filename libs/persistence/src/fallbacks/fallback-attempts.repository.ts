import { Inject, Injectable } from '@nestjs/common';
import { FALLBACK_STATES_BEFORE, type FallbackState, type SmsStatus } from '@postrider/domain';
import type { PhoneDigest } from '@postrider/platform';
import { DATABASE, type Database, rows } from '../database/executor';
import type { MessageKey } from '../partitions/message-key';
import { parameter, sql } from '../sql';
import { insertFallbackSentEvents } from '../webhooks/event-inserts';
import { insertOptOuts } from './opted-out-numbers.repository';

/** A claimed fallback whose request is about to be written. */
interface UnwrittenFallback {
  userId: string;
  attempt: number;
  /** The SHA-256 of its text. */
  textDigest: Buffer;
}

/** One attempt at one fallback. */
interface FallbackAttempt extends MessageKey {
  userId: string;
  attempt: number;
}

/** The result of an attempt. */
export interface FallbackResult {
  state: Extract<FallbackState, 'waiting' | 'sent' | 'unknown' | 'failed'>;
  providerMessageId: string | null;
  errorCode: string | null;
  reason: string | null;
  /** When the fallback is due again. */
  wakeAt: Date | null;
}

/** The counts of fallbacks whose leases were over. */
interface InterruptedFallbacks {
  /** Their requests were never written: they wait again, and are due. */
  unwritten: number;
  /** The provider may have accepted them: it is asked at once. */
  unknown: number;
}

/** A fallback whose provider can be asked about its result. */
export interface FallbackInquiry {
  userId: string;
  fallbackId: string;
  provider: string;
  /** Revision of the credentials with which it was sent. Null if a worker of an earlier version sent it. */
  revision: string | null;
  providerMessageId: string | null;
  phone: string;
  /** The SHA-256 of its text. Null if a worker of an earlier version sent it. */
  textDigest: Buffer | null;
  attemptedAt: Date;
  state: 'sent' | 'unknown';
  attempt: number;
  /** How often the provider was asked about it, including this time. */
  inquiries: number;
}

/** How often at most a fallback is sent again although its provider may have accepted it. */
const MOST_RESENT = 3;

/** A provider's report about one SMS, which it names by our id or by its own. */
export interface FallbackReport {
  provider: string;
  fallbackId: string | null;
  providerMessageId: string | null;
  status: SmsStatus;
  errorCode: string | null;
  reason: string | null;
}

/** Fallbacks that a worker has claimed: written, accepted, refused or unknown, and the later reports of providers. */
@Injectable()
export class FallbackAttemptsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Records that the requests of claimed fallbacks are written from now on. A worker that finds such a fallback after
   * its lease must assume that the provider may have accepted it. Safe to repeat for whoever does not know whether it was
   * recorded: an attempt has one owner.
   *
   * @returns the users whose claim is still valid; the requests for the others must not be written
   */
  async markWritten(
    { appId, messageId }: MessageKey,
    claimed: readonly UnwrittenFallback[],
    { now, leaseEndsAt }: { now: Date; leaseEndsAt: Date },
  ): Promise<Set<string>> {
    const users = parameter(claimed.map(({ userId }) => userId));
    const moment = parameter(now);
    const marked = await rows<{ userId: string }>(
      this.database,
      sql`UPDATE fallbacks f
          SET is_unwritten = false, attempted_at = ${moment}, text_digest = c.text_digest, wake_at = ${leaseEndsAt},
            updated_at = ${moment}
          FROM unnest(
            ${users}::text[], ${claimed.map(({ attempt }) => attempt)}::int[], ${claimed.map(({ textDigest }) => textDigest)}::bytea[]
          ) AS c (user_id, attempt, text_digest)
          WHERE f.app_id = ${appId} AND f.message_id = ${messageId} AND f.user_id = ANY (${users}::text[])
            AND f.user_id = c.user_id AND f.attempt = c.attempt AND f.state = 'sending'
          RETURNING f.user_id AS "userId"`,
    );
    return new Set(marked.map(({ userId }) => userId));
  }

  /**
   * Records the result of an attempt, if it is the newest attempt. A report of the provider that came first stays. The
   * result of an ended lease (`unknown`, or `waiting` if it was to be sent again) is overwritten. Webhooks that ask for
   * it get an event for each SMS that the provider accepted.
   *
   * @returns the present state of the fallback; null if another attempt has begun
   */
  async record(
    { appId, messageId, userId, attempt }: FallbackAttempt,
    { state, providerMessageId, errorCode, reason, wakeAt }: FallbackResult,
    { now, digest }: { now: Date; digest: PhoneDigest },
  ): Promise<FallbackState | null> {
    const app = parameter(appId);
    const message = parameter(messageId);
    const user = parameter(userId);
    const newState = parameter(state);
    const moment = parameter(now);
    const [recorded] = await rows<{ state: FallbackState }>(
      this.database,
      sql`WITH recorded AS (
          UPDATE fallbacks
          SET state = CASE WHEN is_open THEN ${newState} ELSE state END,
            provider_message_id = coalesce(${providerMessageId}, provider_message_id),
            error_code = CASE WHEN is_open THEN ${errorCode} ELSE error_code END,
            reason = CASE WHEN is_open THEN ${reason} ELSE reason END,
            wake_at = CASE WHEN is_open THEN ${wakeAt}::timestamptz ELSE wake_at END,
            sent_at = CASE WHEN ${newState} = 'sent' THEN coalesce(sent_at, ${moment}::timestamptz) ELSE sent_at END,
            ended_at = CASE WHEN is_open AND ${newState} = 'failed' THEN ${moment}::timestamptz ELSE ended_at END,
            is_unwritten = false, updated_at = ${moment}
          FROM (SELECT state IN ('sending', 'unknown') OR (state = 'waiting' AND ${newState} = 'sent') AS is_open,
            sent_at IS NULL AS is_unsent FROM fallbacks
            WHERE app_id = ${app} AND message_id = ${message} AND user_id = ${user} FOR UPDATE) AS held
          WHERE fallbacks.app_id = ${app} AND fallbacks.message_id = ${message} AND fallbacks.user_id = ${user}
            AND attempt = ${attempt}
          RETURNING state, app_id, message_id, user_id, provider, phone, error_code, updated_at, sent_at, is_unsent
          ), told AS (${insertFallbackSentEvents(sql`recorded`)}), suppressed AS (${insertOptOuts(sql`recorded`, digest)})
          SELECT state FROM recorded`,
    );
    return recorded?.state ?? null;
  }

  /**
   * Ends the leases that are over: the worker died. Fallbacks whose requests were not written are due again. For the
   * rest nobody knows whether the provider accepted them.
   */
  async endOverdueLeases({ appId, messageId }: MessageKey, now: Date): Promise<InterruptedFallbacks> {
    const moment = parameter(now);
    const ended = await rows<{ state: string }>(
      this.database,
      sql`UPDATE fallbacks
          SET state = CASE WHEN is_unwritten THEN 'waiting' ELSE 'unknown' END, is_unwritten = false, wake_at = ${moment},
            updated_at = ${moment},
            error_code = CASE WHEN is_unwritten THEN NULL ELSE 'interrupted' END,
            reason = CASE WHEN NOT is_unwritten
              THEN 'The worker ended while the provider was asked, which may or may not have sent it' END
          WHERE app_id = ${appId} AND message_id = ${messageId} AND state = 'sending' AND wake_at <= ${moment}
          RETURNING state`,
    );
    const unwritten = ended.filter(({ state }) => state === 'waiting').length;
    return { unwritten, unknown: ended.length - unwritten };
  }

  /**
   * Takes up to `limit` of a message's fallbacks about which a provider is to be asked now, and plans the next inquiry
   * by the pauses in `pauses` (seconds, one for each inquiry). After the last pause there is none.
   */
  async takeInquiries(
    { appId, messageId }: MessageKey,
    { now, pauses, limit }: { now: Date; pauses: readonly number[]; limit: number },
  ): Promise<FallbackInquiry[]> {
    const app = parameter(appId);
    const message = parameter(messageId);
    const moment = parameter(now);
    return rows<FallbackInquiry>(
      this.database,
      sql`WITH due AS MATERIALIZED (
            SELECT user_id FROM fallbacks
            WHERE app_id = ${app} AND message_id = ${message} AND state IN ('sent', 'unknown') AND wake_at <= ${moment}
            ORDER BY wake_at LIMIT ${limit}
            FOR UPDATE SKIP LOCKED
          )
          UPDATE fallbacks f
          SET inquiries = f.inquiries + 1,
            wake_at = ${moment}::timestamptz + (${pauses}::int[])[f.inquiries + 1] * interval '1 second'
          WHERE f.app_id = ${app} AND f.message_id = ${message} AND f.user_id = ANY (ARRAY(SELECT user_id FROM due))
          RETURNING f.user_id AS "userId", f.fallback_id AS "fallbackId", f.provider, f.credentials_revision AS revision,
            f.provider_message_id AS "providerMessageId", f.phone, f.attempted_at AS "attemptedAt", f.state, f.attempt,
            f.inquiries, f.text_digest AS "textDigest"`,
    );
  }

  /**
   * Makes a fallback due again for which nobody knew whether its provider accepted it, unless its message ended
   * meanwhile.
   *
   * @param isRisked true if the provider may have accepted it: that is counted, and limited
   * @returns true if it is due again
   */
  async resend({ appId, messageId, userId, attempt }: FallbackAttempt, isRisked: boolean, now: Date): Promise<boolean> {
    const app = parameter(appId);
    const message = parameter(messageId);
    const risk = parameter(isRisked ? 1 : 0);
    const moment = parameter(now);
    const due = await rows(
      this.database,
      sql`UPDATE fallbacks f
          SET state = 'waiting', wake_at = ${moment}, error_code = NULL, reason = NULL, inquiries = 0,
            resent = f.resent + ${risk}::int,
            updated_at = ${moment}
          FROM messages m
          WHERE f.app_id = ${app} AND f.message_id = ${message} AND f.user_id = ${userId} AND f.attempt = ${attempt}
            AND f.state = 'unknown' AND (${risk}::int = 0 OR f.resent < ${MOST_RESENT})
            AND m.app_id = ${app} AND m.id = ${message} AND m.expires_at > ${moment} AND m.status <> 'cancelled'
          RETURNING 1`,
    );
    return due.length > 0;
  }

  /**
   * Records a provider's report. States only move forward (`FALLBACK_STATES_BEFORE`), so reports may come early, late,
   * twice and in any order. A report about a fallback that waits for another attempt proves that the provider accepted
   * an earlier one.
   *
   * @returns true if the report changed anything
   */
  async report(
    appId: string,
    { provider, fallbackId, providerMessageId, status, errorCode, reason }: FallbackReport,
    { now, digest }: { now: Date; digest: PhoneDigest },
  ): Promise<boolean> {
    const app = parameter(appId);
    const providersId = parameter(providerMessageId);
    const named =
      fallbackId === null ? sql`provider_message_id = ${providersId}` : sql`fallback_id = ${fallbackId}::uuid`;
    const newState = parameter(status);
    const moment = parameter(now);
    const before = parameter(FALLBACK_STATES_BEFORE[status], 'text[]');
    const moved = await rows(
      this.database,
      sql`WITH recorded AS (
          UPDATE fallbacks
          SET state = ${newState}, provider_message_id = coalesce(provider_message_id, ${providersId}::text),
            error_code = ${errorCode}, reason = ${reason},
            wake_at = CASE WHEN ${newState} = 'sent' AND state = 'unknown' THEN wake_at END,
            sent_at = coalesce(sent_at, ${moment}::timestamptz),
            ended_at = CASE WHEN ${newState} <> 'sent' THEN ${moment}::timestamptz END, updated_at = ${moment}
          FROM (SELECT message_id AS held_message, user_id AS held_user, sent_at IS NULL AS is_unsent FROM fallbacks
            WHERE app_id = ${app} AND attempted_at IS NOT NULL AND state = ANY (${before})
              AND provider = ${provider} AND ${named}
            FOR UPDATE) AS held
          WHERE app_id = ${app} AND message_id = held_message AND user_id = held_user AND state = ANY (${before})
          RETURNING state, app_id, message_id, user_id, provider, phone, error_code, updated_at, sent_at,
            is_unsent AND ${newState} <> 'failed' AS is_unsent
          ), told AS (${insertFallbackSentEvents(sql`recorded`)}), suppressed AS (${insertOptOuts(sql`recorded`, digest)})
          SELECT 1 FROM recorded`,
    );
    return moved.length > 0;
  }
}
