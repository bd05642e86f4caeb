import { Inject, Injectable } from '@nestjs/common';
import { type DeviceId, deliveryStateRank } from '@postrider/domain';
import { DATABASE, type Database, type Executor, inTransaction, rows } from '../database/executor';
import { isPacked, packedDeliveriesOf } from '../packs/packed-deliveries';
import { byDay, dayOfMessage, existingDays, rowsOfDay } from '../partitions/ledger-day';
import { parameter, type Parameter, type Sql, sql } from '../sql';
import { mergeReceipts, type DeviceReceipts, type Receipt } from './receipt';
import { heldLink } from './held-link';
import { recordReceiptsStatement, type WhenHeld } from './record-receipts.statement';

type Key = Pick<DeviceReceipts, 'appId' | 'messageId' | 'deviceId'>;

/** How many messages of a campaign, and deliveries of a device, are searched, newest first. */
const LOOKED_THROUGH = 50;

const LATEST = { where: sql`true`, limit: sql`${LOOKED_THROUGH}` };

/** The delivery of a row of `keyRows`. */
const REPORTED = { app: sql`r.app_id`, message: sql`r.message_id`, device: sql`r.device_id` };

/** The links of a message (by its alias), in all languages and variants. */
const linksOf = (message: Sql): Sql => sql`(
  jsonb_path_query_array(${message}.content, '$.**.notification.clickUrl')
  || jsonb_path_query_array(${message}.content, '$.**.notification.actions[*].url'))`;

/** The keys as rows `r`, with their places from 1. */
const keyRows = (keys: readonly Key[]): Sql => sql`unnest(
    ${keys.map(({ appId }) => appId)}::text[],
    ${keys.map(({ messageId }) => messageId)}::uuid[],
    ${keys.map(({ deviceId }) => deviceId)}::bigint[]
  ) WITH ORDINALITY AS r (app_id, message_id, device_id, place)`;

/** A page of a push service that is to be sent now and that no worker has begun. */
const isUnbegun = (now: Parameter): Sql => sql`state = 'waiting' AND fence = 0 AND attempt = 1 AND NOT is_steered
    AND vendor <> 'connection' AND (not_before IS NULL OR not_before <= ${now}::timestamptz)`;

/**
 * An open page that holds the device of a row of `keyRows`, and was claimed or follows another attempt: its record may
 * be on its way, or nobody knows yet if the vendor accepted it.
 */
const IS_BEGUN = sql`fence > 0 OR attempt > 1`;
/** A page whose devices may report about its message before the message is recorded as sent. */
const isExpected = (now: Parameter): Sql => sql`${IS_BEGUN} OR ${isUnbegun(now)}`;
/** A condition: an open page that holds a device of a message. */
const isOpenPageOf = ({ app, message, device }: Record<'app' | 'message' | 'device', Sql>, condition: Sql): Sql =>
  sql`app_id = ${app} AND message_id = ${message} AND state <> 'finished' AND (${condition}) AND device_ids @> ARRAY[${device}]`;
const openPage = (condition: Sql): Sql => sql`
  SELECT vendor FROM pages WHERE ${isOpenPageOf(REPORTED, condition)} LIMIT 1`;
const BEGUN_PAGE = openPage(IS_BEGUN);

/**
 * The reports of devices about messages. A delivery only moves forward, and each time is the first that was reported.
 */
@Injectable()
export class ReceiptsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Records what devices reported. A report that overtakes the record of the sending, or the sending, makes the record, if the
   * device is on an open page of that message; reports about messages that were never meant for the device are ignored. Safe to
   * repeat, in parts and in any order: what fails half-way is done over whole.
   */
  async record(entries: readonly DeviceReceipts[], now: Date): Promise<void> {
    const all = mergeReceipts(entries);
    if (all.length === 0) return;
    const recorded = await this.#update(this.database, all, now, 'skip');
    const left = all.filter((_, place) => !recorded.has(place));
    if (left.length === 0) return;
    for (const place of await this.#findMeant(left, now)) {
      const entry = left[place] as DeviceReceipts;
      // In a transaction of its own it may wait for locks on the same delivery.
      await inTransaction(this.database, async (executor) => {
        await this.#insertOvertaken(executor, entry, now);
        await this.#update(executor, [entry], now, 'wait');
      });
    }
  }

  /**
   * Finds the message of each receipt that names none: the device's latest message with the tracking id of the receipt,
   * or with the link that was opened, which may come from a template of the message. A message with the tracking id may
   * still be on an open page, as in `record`. Receipts without a match are returned unchanged.
   */
  async nameMessages(appId: string, deviceId: DeviceId, receipts: readonly Receipt[], now: Date): Promise<Receipt[]> {
    const named: Receipt[] = [];
    const known = new Map<string, string | null>();
    for (const receipt of receipts) {
      const { messageId, trackId, kind, link } = receipt;
      if (messageId !== null) named.push(receipt);
      else if (trackId)
        named.push(await found(`t ${trackId}`, receipt, () => this.#findByTrackId(appId, deviceId, trackId, now)));
      else if (kind === 'link' && link)
        named.push(await found(`l ${link}`, receipt, () => this.#findByLink(appId, deviceId, link)));
    }
    return named;

    async function found(key: string, receipt: Receipt, find: () => Promise<string | null>): Promise<Receipt> {
      const messageId = known.has(key) ? (known.get(key) ?? null) : await find();
      known.set(key, messageId);
      return { ...receipt, messageId };
    }
  }

  /** Finds the links of a message, templates unchanged. An unknown message has none. */
  async findLinks(appId: string, messageId: string): Promise<string[]> {
    const [found] = await rows<{ links: unknown[] }>(
      this.database,
      sql`SELECT ${linksOf(sql`m`)} AS links FROM messages m WHERE m.app_id = ${appId} AND m.id = ${messageId}`,
    );
    return (found?.links ?? []).filter(isText);
  }

  /** @returns the places in `entries` whose deliveries exist */
  async #update(
    executor: Executor,
    entries: readonly DeviceReceipts[],
    now: Date,
    whenHeld: WhenHeld,
  ): Promise<Set<number>> {
    const recorded = new Set<number>();
    const days = byDay(entries.map((entry, place) => ({ ...entry, place })));
    const existing =
      days.length > 1
        ? await existingDays(
            executor,
            days.map(([day]) => day),
          )
        : null;
    for (const [day, ofDay] of days) {
      if (existing?.has(day) === false) continue;
      const statement = recordReceiptsStatement(day, ofDay, now, whenHeld);
      for (const { place } of await rowsOfDay<{ place: string }>(executor, statement)) {
        recorded.add(ofDay[Number(place) - 1]?.place ?? -1);
      }
    }
    return recorded;
  }

  /**
   * Finds which of these deliveries exist, or will exist because the device is on an open page of the message. The
   * others were never meant for the device.
   *
   * @returns their places
   */
  async #findMeant(keys: readonly Key[], now: Date): Promise<number[]> {
    const found = await rows<{ place: string }>(
      this.database,
      sql`SELECT r.place FROM ${keyRows(keys)}
          WHERE EXISTS (
            SELECT 1 FROM deliveries WHERE app_id = r.app_id AND message_id = r.message_id AND device_id = r.device_id
          ) OR EXISTS (${openPage(isExpected(parameter(now)))}) OR ${isPacked(REPORTED)}
          ORDER BY r.place`,
    );
    return found.map(({ place }) => Number(place) - 1);
  }

  /**
   * Makes the record of a delivery that a receipt overtook, if the device is on an open page of the message. Whoever records what
   * became of the page holds its lock: what they pack is in a pack by then, or they see the row. A page with such a row counts as
   * begun: it is claimed with a look at the rows, and a device that has the message is left out.
   */
  async #insertOvertaken(executor: Executor, key: Key, now: Date): Promise<void> {
    const at = parameter(now);
    const { appId, messageId, deviceId } = key;
    await rows(
      executor,
      sql`UPDATE pages SET fence = 1 WHERE app_id = ${appId} AND message_id = ${messageId}::uuid
            AND device_ids @> ARRAY[${deviceId}::bigint] AND ${isUnbegun(at)}`,
    );
    const { pages } = dayOfMessage(messageId);
    const named = { app: sql`${appId}`, message: sql`${messageId}::uuid`, device: sql`${deviceId}::bigint` };
    await rows(executor, sql`SELECT FROM ${pages} WHERE ${isOpenPageOf(named, IS_BEGUN)} LIMIT 1 FOR NO KEY UPDATE`);
    await rows(
      executor,
      sql`INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, created_at, updated_at)
          SELECT r.app_id, r.message_id, r.device_id, 'pending', ${deliveryStateRank('pending')}::smallint, p.vendor, ${at}, ${at}
          FROM ${keyRows([key])} CROSS JOIN LATERAL (${BEGUN_PAGE}) p
          WHERE NOT ${isPacked(REPORTED)}
          ON CONFLICT (app_id, message_id, device_id) DO NOTHING`,
    );
  }

  async #findByTrackId(appId: string, deviceId: DeviceId, trackId: string, now: Date): Promise<string | null> {
    const [app, device] = [parameter(appId), parameter(deviceId, 'bigint')];
    const named = { app: sql`${app}`, message: sql`m.id`, device: sql`${device}` };
    const found = await rows<{ id: string }>(
      this.database,
      sql`SELECT m.id FROM (
            SELECT id FROM messages WHERE app_id = ${app} AND track_id = ${trackId} ORDER BY id DESC LIMIT ${LOOKED_THROUGH}
          ) m
          WHERE EXISTS (
            SELECT 1 FROM deliveries d WHERE d.app_id = ${app} AND d.message_id = m.id AND d.device_id = ${device}
          ) OR ${isPacked(named)} OR EXISTS (SELECT 1 FROM pages WHERE ${isOpenPageOf(named, isExpected(parameter(now)))})
          ORDER BY m.id DESC LIMIT 1`,
    );
    return found[0]?.id ?? null;
  }

  async #findByLink(appId: string, deviceId: DeviceId, link: string): Promise<string | null> {
    const app = parameter(appId);
    const held = await rows<{ id: string; links: unknown[] }>(
      this.database,
      sql`SELECT m.id, m.links FROM (
            (SELECT message_id FROM deliveries WHERE app_id = ${app} AND device_id = ${deviceId}::bigint
            ORDER BY message_id DESC LIMIT ${LOOKED_THROUGH})
            UNION ALL
            (SELECT message_id FROM (${packedDeliveriesOf({ app: sql`${app}`, device: sql`${deviceId}::bigint` }, LATEST)}) packed)
            ORDER BY message_id DESC LIMIT ${LOOKED_THROUGH}
          ) d
          CROSS JOIN LATERAL (
            SELECT m.id, ${linksOf(sql`m`)} AS links FROM messages m WHERE m.app_id = ${app} AND m.id = d.message_id LIMIT 1
          ) m
          ORDER BY m.id DESC`,
    );
    return held.find(({ links }) => heldLink(links.filter(isText), link) !== undefined)?.id ?? null;
  }
}

function isText(link: unknown): link is string {
  return typeof link === 'string';
}
