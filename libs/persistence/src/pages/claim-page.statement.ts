import {
  type DeviceId,
  deliveryStateRank,
  type FrequencyCap,
  type Lane,
  type MessageContent,
  type MessageKind,
  type MessageStatus,
  type PushVendor,
} from '@postrider/domain';
import { CLAIM_MARK } from '../devices/owner-changes.repository';
import { isMeantForOwner } from '../devices/ownership';
import { isPacked } from '../packs/packed-deliveries';
import { keysFrom, type LedgerDay } from '../partitions/ledger-day';
import { parameter, type Parameter, sql, type Sql } from '../sql';
import type { PageKey } from '../partitions/message-key';

/** A device of a page, as it is now. Every field but `id` is null if the installation is gone. */
export interface PageDevice {
  id: DeviceId;
  installationId: string | null;
  userId: string | null;
  deviceType: string | null;
  locale: string | null;
  /** The token, if it is usable and of the page's vendor. */
  token: string | null;
  /** In microseconds since 1970, as it is stored: compared with that before a token is switched off (`timestampOf`). */
  tokenRegisteredAtMicros: number | null;
  /** Whether somebody else took the device after the message was accepted. */
  hasChangedHands: boolean | null;
  /** False: the device has not proved its user, which the application requires. */
  isProved?: boolean | null;
  /** True: it uses its own connection too. */
  usesConnection?: boolean | null;
}

/** A page that the caller has claimed, with everything that is needed to work on it. */
export interface ClaimedPage {
  vendor: PushVendor;
  lane: Lane;
  fence: number;
  /** How many workers died while they had it. */
  losses: number;
  attempt: number;
  isUnanswered: boolean;
  /** True if pacing admits the page before it is claimed. Left out: false. */
  isSteered?: boolean;
  firstAttemptAt: Date;
  /** The devices of the page without an outcome, in the page's order. */
  devices: PageDevice[];
  kind: MessageKind;
  content: MessageContent;
  /** The variant that was chosen as the best. Null or left out: none. */
  winner?: string | null;
  status: MessageStatus;
  channel: string;
  /** When the message was accepted; for a scheduled message, when it was to be sent. */
  acceptedAt: Date;
  expiresAt: Date;
  applicationName: string;
  defaultAlertText: string;
  /** What happens to users for whom no promo code is left. */
  promoExhausted: 'send_without' | 'skip';
  /** The caps of the application. Empty: no limit on campaigns per user. */
  frequencyCaps: FrequencyCap[];
  /** From when on the application counts campaigns by user. Null: it does not. */
  contactsSince: Date | null;
}

/** Who claims, and until when. */
export interface Claim {
  leasedBy: string;
  now: Date;
  leaseUntil: Date;
  /** True if the caller works on no other page at the same time. Left out: false. */
  isAlone?: boolean;
}

/** From this number of losses a page is worked alone, so that no other page is blamed. */
export const ALONE_AFTER_LOSSES = 2;
/** At this number of losses a page is parked. */
export const PARKED_AFTER_LOSSES = 3;

/**
 * The number of workers that a page `p` has lost. A worker that finishes a page, gives it back or shuts down properly
 * removes its name.
 */
export const LOSSES = sql`(p.losses + CASE WHEN p.leased_by IS NULL THEN 0 ELSE 1 END)`;

/** What a statement does about a page whose row is locked: it waits, or leaves the page out. */
export type WhenLocked = 'waits' | 'leaves-out';

/** A row for each page: `place`, `app_id`, `message_id` and `id`. */
export function placedPages(pages: readonly (PageKey & { place: number })[]): Sql {
  const keys = pages.map(({ place, appId, messageId, pageId }) => ({
    place,
    app_id: appId,
    message_id: messageId,
    id: pageId,
  }));
  return keysFrom(keys, sql`app_id text, message_id uuid, id uuid`);
}

/** Locks those pages of `asked` whose rows nobody has locked, with `columns` of `asked`. */
export function freeAmong(asked: Sql, { pages }: LedgerDay): Sql {
  return sql`SELECT a.* FROM ${asked} a CROSS JOIN LATERAL (
    SELECT p.id FROM ${pages} p WHERE p.app_id = a.app_id AND p.message_id = a.message_id AND p.id = a.id
    FOR NO KEY UPDATE SKIP LOCKED
  ) p`;
}

/**
 * The statement that claims pages of one day. Its rows are `ClaimedRow`s. The lookups of devices are written as
 * LATERAL, by an array whose length PostgreSQL does not know, and as a scalar subquery, so that no statistics can turn
 * them into scans.
 *
 * It finds the devices of pages that are tried for the first time and that nobody had before. Of any other page it gives
 * none (`isWithoutDevices`): whoever held the row until this statement got it may have recorded outcomes, and this
 * statement sees no row that was written after it began. `pendingDevicesStatement` sees them.
 */
export function claimPagesStatement(
  day: LedgerDay,
  pages: readonly PageKey[],
  claim: Claim,
  whenLocked: WhenLocked,
): Sql {
  const asked = placedPages(pages.map((page, place) => ({ ...page, place })));
  const [now, aloneAfter] = [parameter(claim.now, 'timestamptz'), parameter(ALONE_AFTER_LOSSES, 'integer')];
  return sql`${CLAIM_MARK}
  WITH asked AS MATERIALIZED (${whenLocked === 'waits' ? sql`SELECT * FROM ${asked} a` : freeAmong(asked, day)}
  ), page AS (
    UPDATE ${day.pages} p
    SET state = 'running', fence = p.fence + 1, leased_by = ${claim.leasedBy}, wake_at = ${claim.leaseUntil},
      first_attempt_at = coalesce(${firstAttemptWithoutDelay(sql`p`, now)}, ${now}), losses = ${LOSSES},
      turn_at = NULL, is_counted = (SELECT contacts_since IS NOT NULL FROM applications WHERE app_id = a.app_id)
    FROM asked a CROSS JOIN LATERAL (
      SELECT kind, content, winner_variant, status, channel, user_ids, send_at, accepted_at, expires_at FROM ${day.messages}
      WHERE app_id = a.app_id AND id = a.message_id LIMIT 1
    ) m
    WHERE p.app_id = a.app_id AND p.message_id = a.message_id AND p.id = a.id
      AND ${canBeClaimed(now)}
      AND (((p.not_before IS NULL OR p.not_before <= ${now}) AND (NOT p.is_steered OR ${isAdmitted(sql`p`, now)}))
        OR coalesce(p.expires_at, m.expires_at) <= ${now} OR m.status = 'cancelled')
      AND (${claim.isAlone ?? false} OR ${LOSSES} <> ${aloneAfter})
    RETURNING a.place, a.app_id, a.message_id, p.vendor, p.lane, p.fence, p.losses, p.attempt, p.is_unanswered, p.is_steered,
      p.first_attempt_at, p.device_ids, m.kind, m.content, m.winner_variant, m.status, m.channel, m.user_ids,
      coalesce(m.send_at, m.accepted_at) AS resolved_from, coalesce(p.starts_at, m.send_at, m.accepted_at) AS accepted_at,
      coalesce(p.expires_at, m.expires_at) AS expires_at
  )
  SELECT page.place, page.vendor, page.lane, page.fence, page.losses, page.attempt, page.is_unanswered AS "isUnanswered",
    page.is_steered AS "isSteered", page.first_attempt_at AS "firstAttemptAt", page.kind, page.content, page.winner_variant AS winner,
    page.status, page.channel,
    page.accepted_at AS "acceptedAt", page.expires_at AS "expiresAt",
    a.name AS "applicationName", a.default_alert_text AS "defaultAlertText",
    a.promo_exhausted AS "promoExhausted", a.frequency_caps AS "frequencyCaps", a.contacts_since AS "contactsSince", devices.*
  FROM page
  CROSS JOIN LATERAL (
    SELECT name, default_alert_text, promo_exhausted, frequency_caps, contacts_since, least_proof FROM applications WHERE app_id = page.app_id LIMIT 1
  ) a
  CROSS JOIN LATERAL (${devicesAmong(UNTRIED_IDS)}) devices`;
}

/** An admission is for a claim at once. Later the page may have quiet hours, or no place within its limits. */
const ADMITTED_FOR = sql`interval '1 minute'`;

/** A condition: pacing has admitted the page, lately (`PacingRepository.admit`). */
function isAdmitted(page: Sql, now: Parameter): Sql {
  return sql`(${page}.admitted_fence = ${page}.fence AND ${page}.turn_at > ${now} - ${ADMITTED_FOR})`;
}

/** A page that waits for so long after its time had no worker. Workers that are busy make it wait for less. */
const NO_WORKER_FOR = sql`interval '5 minutes'`;

/**
 * The time of the first attempt of a page that is due, later by the time for which no worker was there: its vendor was
 * not asked in vain then. Null for a page that is tried for the first time.
 */
function firstAttemptWithoutDelay(page: Sql, now: Parameter): Sql {
  return sql`CASE WHEN ${page}.fence = 0 AND ${page}.not_before < ${now} - ${NO_WORKER_FOR} THEN ${page}.first_attempt_at + (${now} - ${page}.not_before)
      ELSE ${page}.first_attempt_at END`;
}

/** The devices of `page` if nobody can have an outcome for them. SQL null: somebody can. */
const UNTRIED_IDS = sql`CASE WHEN page.fence = 1 AND page.attempt = 1 THEN page.device_ids END`;

/** True if the row of a claimed page says nothing of its devices: `pendingDevicesStatement` does. */
export function isWithoutDevices({ pendingIds }: Pick<ClaimedRow, 'pendingIds'>): boolean {
  return pendingIds === null;
}

/**
 * The statement that finds the devices of pages of one day that have no outcome: `PendingRow`s. For pages that the
 * caller has claimed, so that nobody else records outcomes of their devices any more.
 */
export function pendingDevicesStatement(day: LedgerDay, claimed: readonly (PageKey & { place: number })[]): Sql {
  return sql`
  SELECT asked.place, devices.*
  FROM ${placedPages(claimed)} asked
  CROSS JOIN LATERAL (
    SELECT p.app_id, p.message_id, p.vendor, p.device_ids FROM ${day.pages} p
    WHERE p.app_id = asked.app_id AND p.message_id = asked.message_id AND p.id = asked.id LIMIT 1
  ) held
  CROSS JOIN LATERAL (
    SELECT held.*, m.user_ids, coalesce(m.send_at, m.accepted_at) AS resolved_from FROM ${day.messages} m
    WHERE m.app_id = held.app_id AND m.id = held.message_id LIMIT 1
  ) page
  CROSS JOIN LATERAL (SELECT least_proof FROM applications WHERE app_id = page.app_id LIMIT 1) a
  CROSS JOIN LATERAL (${devicesAmong(pendingIds(day))}) devices`;
}

/**
 * A condition: the page `p` waits, or its lease is over. It is written as a CASE, from which PostgreSQL does not
 * conclude that the page is open. Otherwise PostgreSQL would search all open pages of the message (their index is
 * smaller than that of the key), and a claim would cost more the more pages there are.
 */
function canBeClaimed(now: Parameter): Sql {
  return sql`CASE p.state WHEN 'waiting' THEN true WHEN 'running' THEN p.wake_at <= ${now} ELSE false END`;
}

/**
 * Those devices of `page`, a page of the application `a`, whose ids are in the array `ids`: a row of the columns of
 * `FoundDevices`.
 *
 * All of them are looked up at once, by an array of their ids: a lookup for each costs PostgreSQL four times as much. And each
 * field is a list of values: an object for each device would repeat the names of its fields, and take twice as long to make. Values
 * that never hold a comma are joined by commas, which takes half as long as JSON. What is true of few devices names these.
 */
function devicesAmong(ids: Sql): Sql {
  const isMeant = isMeantForOwner({ installation: sql`i`, users: sql`page.user_ids`, since: sql`page.resolved_from` });
  return sql`SELECT array_to_string(pending.ids, ',') AS "pendingIds",
      CASE WHEN found.count < cardinality(pending.ids) THEN coalesce(array_to_string(found.ids, ','), '') END AS "foundIds",
      found."installationIds", found."userIds", found."deviceTypes", found.locales, found.tokens, found."registeredMicros",
      found."changedHands", found."notProved", found."usingConnection"
    FROM (SELECT ${ids} AS ids OFFSET 0) pending
    CROSS JOIN LATERAL (
      SELECT count(*) AS count, array_agg(i.id) AS ids, string_agg(i.installation_id::text, ',') AS "installationIds",
        json_agg(i.user_id) AS "userIds", json_agg(i.device_type) AS "deviceTypes", json_agg(i.locale) AS locales,
        json_agg(CASE WHEN i.usable_vendor = page.vendor THEN i.token END) AS tokens,
        string_agg(coalesce((date_part('epoch', i.token_registered_at) * 1000000)::bigint::text, ''), ',') AS "registeredMicros",
        json_agg(i.id::text) FILTER (WHERE NOT ${isMeant}) AS "changedHands",
        json_agg(i.id::text) FILTER (WHERE i.user_proof < a.least_proof) AS "notProved",
        json_agg(i.id::text) FILTER (WHERE i.uses_connection) AS "usingConnection"
      FROM (SELECT * FROM installations WHERE app_id = page.app_id AND id = ANY (pending.ids) ORDER BY id) i
    ) found`;
}

/** The ids of the devices of `page` without an outcome, in their order. */
function pendingIds(day: LedgerDay): Sql {
  const pending = parameter(deliveryStateRank('pending'), 'smallint');
  const delivery = { app: sql`page.app_id`, message: sql`page.message_id`, device: sql`member.id` };
  return sql`ARRAY(
      SELECT member.id FROM unnest(page.device_ids) WITH ORDINALITY AS member (id, place)
      WHERE coalesce((
        SELECT d.rank FROM ${day.deliveries} d
        WHERE d.app_id = page.app_id AND d.message_id = page.message_id AND d.device_id = member.id
      ), ${pending}) = ${pending} AND NOT ${isPacked(delivery, day)}
      ORDER BY member.place
    )`;
}

/** What a statement has found of a page's devices: lists in the same order, and what few of them are. */
interface FoundDevices {
  /** Those without an outcome, separated by commas. Null: see `isWithoutDevices`. */
  pendingIds: string | null;
  /** Those of them that are installed, whose fields follow; null: all. */
  foundIds: string | null;
  /** Null, as the other lists: nobody is installed. */
  installationIds: string | null;
  userIds: string[] | null;
  deviceTypes: (string | null)[] | null;
  locales: (string | null)[] | null;
  tokens: (string | null)[] | null;
  /** Nothing between two commas: null. */
  registeredMicros: string | null;
  /** The ids of those of which each of these is true; null: of none. */
  changedHands: DeviceId[] | null;
  notProved: DeviceId[] | null;
  usingConnection: DeviceId[] | null;
}

/** A row of `claimPagesStatement`. */
export interface ClaimedRow extends Omit<ClaimedPage, 'devices'>, FoundDevices {
  /** The place of the page among those asked for. */
  place: number;
}

/** A row of `pendingDevicesStatement`. */
export type PendingRow = FoundDevices & Pick<ClaimedRow, 'place'>;

/** The page that a row of `claimPagesStatement` holds. */
export function claimedPageOf(row: ClaimedRow): ClaimedPage {
  const fields = Object.entries(row).filter(([name]) => !NOT_OF_PAGE.has(name));
  const page = Object.fromEntries(fields) as unknown as Omit<ClaimedPage, 'devices'>;
  const pending = listIn(row.pendingIds);
  if (row.foundIds === null) return { ...page, devices: devicesOf(pending, row) };
  const byId = new Map(devicesOf(listIn(row.foundIds), row).map((device) => [device.id, device]));
  return { ...page, devices: pending.map((id) => byId.get(id) ?? deletedDevice(id)) };
}

const NOT_OF_PAGE: ReadonlySet<string> = new Set<keyof ClaimedRow>([
  ...(['place', 'pendingIds', 'foundIds', 'installationIds', 'userIds', 'deviceTypes', 'locales', 'tokens'] as const),
  ...(['registeredMicros', 'changedHands', 'notProved', 'usingConnection'] as const),
]);

function devicesOf(ids: readonly DeviceId[], found: FoundDevices): PageDevice[] {
  const [installationIds, registeredMicros] = [listIn(found.installationIds), listIn(found.registeredMicros)];
  const { userIds, deviceTypes, locales, tokens } = found as {
    [Field in keyof FoundDevices]: NonNullable<FoundDevices[Field]>;
  };
  const changedHands = new Set(found.changedHands);
  const notProved = new Set(found.notProved);
  const usingConnection = new Set(found.usingConnection);
  return ids.map((id, at) => ({
    id,
    installationId: installationIds[at] as string,
    userId: userIds[at] as string,
    deviceType: deviceTypes[at] as string | null,
    locale: locales[at] as string | null,
    token: tokens[at] as string | null,
    tokenRegisteredAtMicros: registeredMicros[at] ? Number(registeredMicros[at]) : null,
    hasChangedHands: changedHands.has(id),
    isProved: !notProved.has(id),
    usesConnection: usingConnection.has(id),
  }));
}

function listIn(text: string | null): string[] {
  return text === null || text === '' ? [] : text.split(',');
}

function deletedDevice(id: DeviceId): PageDevice {
  return {
    id,
    installationId: null,
    userId: null,
    deviceType: null,
    locale: null,
    token: null,
    tokenRegisteredAtMicros: null,
    hasChangedHands: null,
    isProved: null,
    usesConnection: null,
  };
}
