import type { DeliveryState, DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase, whileHolding } from '@postrider/testing';
import { type Database, rows } from '../database/executor';
import type { LeasedPage } from '../partitions/message-key';
import { PagesRepository } from '../pages/pages.repository';
import { combineReceipts } from '../receipts/receipt';
import { ReceiptsRepository } from '../receipts/receipts.repository';
import type { RecordedDeliveries } from './record-deliveries';

const SENT_AT = new Date('2026-11-29T09:00:00.250Z');

describe('an outcome that comes after the report of the device', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let device: DeviceId;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 1);
    const [found] = await rows<{ id: DeviceId }>(database, `SELECT id::text AS id FROM installations`);
    device = found?.id ?? '';
  });
  afterAll(() => throwAway.drop());

  /** A page that a worker sends at this moment. */
  async function addPage(): Promise<LeasedPage> {
    const page = { appId: 'shop', messageId: newId(), pageId: newId(), fence: 1 };
    await rows(
      database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, fence, leased_by, attempt)
       VALUES ('shop', $1, $2, 'fcm', 'campaign', ARRAY[$3::bigint], 'running', 1, 'worker', 1)`,
      [page.messageId, page.pageId, device],
    );
    return page;
  }

  async function report(messageId: string): Promise<void> {
    const at = new Date();
    const reports = combineReceipts({ appId: 'shop', deviceId: device }, [{ messageId, kind: 'shown', at }], at);
    await new ReceiptsRepository(database).record(reports, at);
  }

  async function flush(page: LeasedPage, outcomes: RecordedDeliveries, shape: string): Promise<void> {
    const pages = new PagesRepository(database);
    if (shape === 'rows') await pages.flush(page, outcomes, new Date());
    else await pages.flushPacked(page, outcomes, new Date(), false);
  }

  function outcomeOf(state: DeliveryState, more: Partial<RecordedDeliveries> = {}): RecordedDeliveries {
    return {
      ...{ deviceIds: [device], states: [state], times: [SENT_AT.getTime()] },
      ...{ vendorMessageIds: [state === 'sent' ? 'm-1' : null], errorCodes: [null], reasons: [null], ...more },
    };
  }

  function read({ messageId }: LeasedPage): Promise<object[]> {
    return rows(
      database,
      `SELECT state, vendor, vendor_message_id, attempt, promo_code, language, sent_at FROM deliveries WHERE message_id = $1`,
      [messageId],
    );
  }

  it.each(['rows', 'packs'])(
    'says how the message was sent, and keeps the state of the report, in %s',
    async (shape) => {
      const page = await addPage();
      await report(page.messageId);
      await flush(page, outcomeOf('sent', { promoCodes: ['SPRING-1'] }), shape);
      const sent = { vendor: 'fcm', vendor_message_id: 'm-1', attempt: 1, sent_at: SENT_AT };
      expect(await read(page)).toEqual([{ state: 'shown', promo_code: 'SPRING-1', language: null, ...sent }]);
    },
  );

  it('that is packed at the moment of the report is the delivery that the report moves', async () => {
    const page = await addPage();
    await whileHolding(
      throwAway.dataSource,
      (held) => new PagesRepository(held).flushPacked(page, outcomeOf('sent'), SENT_AT, true),
      () => report(page.messageId),
    );
    expect(
      await rows(database, `SELECT state, is_packed FROM deliveries WHERE message_id = $1`, [page.messageId]),
    ).toEqual([{ state: 'shown', is_packed: true }]);
  });

  it('names the language too', async () => {
    const page = await addPage();
    await report(page.messageId);
    await flush(page, outcomeOf('sent', { languages: ['de'] }), 'rows');
    expect(await read(page)).toMatchObject([{ state: 'shown', vendor_message_id: 'm-1', language: 'de' }]);
  });

  it('does not change what is known of a message that was recorded as sent', async () => {
    const page = await addPage();
    await flush(page, outcomeOf('sent'), 'rows');
    await report(page.messageId);
    await flush(page, outcomeOf('sent', { vendorMessageIds: ['m-2'], times: [Date.now()] }), 'rows');
    expect(await read(page)).toMatchObject([{ state: 'shown', vendor_message_id: 'm-1', sent_at: SENT_AT }]);
  });

  it('does not call a message sent by a vendor if the device got it over its own connection', async () => {
    const page = await addPage();
    await report(page.messageId);
    await rows(database, `UPDATE deliveries SET vendor = 'connection' WHERE message_id = $1`, [page.messageId]);
    await flush(page, outcomeOf('sent'), 'rows');
    expect(await read(page)).toMatchObject([{ vendor: 'connection', vendor_message_id: null, sent_at: null }]);
  });

  it('that ends a wait keeps the place in the inbox and the promo code that were recorded before', async () => {
    const page = await addPage();
    const waiting = { ...page, connectionDeviceIds: [device] };
    await flush(waiting, outcomeOf('pending', { promoCodes: ['SPRING-1'] }), 'rows');
    await flush(page, outcomeOf('failed', { errorCodes: ['UNREGISTERED'] }), 'rows');
    const [found] = await rows<object>(
      database,
      `SELECT state, promo_code, in_inbox FROM deliveries WHERE message_id = $1`,
      [page.messageId],
    );
    expect(found).toEqual({ state: 'failed', promo_code: 'SPRING-1', in_inbox: true });
  });

  it.each(['pending', 'sent', 'failed'] as const)(
    'puts a message that is %s into the inbox of a connected device',
    async (state) => {
      const page = await addPage();
      await flush({ ...page, connectionDeviceIds: [device] }, outcomeOf(state), 'rows');
      const found = await rows(database, `SELECT in_inbox FROM deliveries WHERE message_id = $1`, [page.messageId]);
      expect(found).toEqual([{ in_inbox: true }]);
    },
  );

  it('changes nothing if the vendor refused the message', async () => {
    const page = await addPage();
    await report(page.messageId);
    await flush(page, outcomeOf('failed', { errorCodes: ['UNREGISTERED'] }), 'rows');
    expect(await read(page)).toMatchObject([{ state: 'shown', vendor_message_id: null, sent_at: null }]);
  });
});
