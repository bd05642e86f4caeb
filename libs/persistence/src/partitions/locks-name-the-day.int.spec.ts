import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { tidyContactsStatement } from '../contacts/record-contacts.statement';
import { rows } from '../database/executor';
import { lockPacksStatement } from '../packs/unpack-deliveries';
import type { DeviceReceipts } from '../receipts/receipt';
import { recordReceiptsStatement } from '../receipts/record-receipts.statement';
import { type Sql, sql } from '../sql';
import { lockUnsentStatement } from '../waiting/keep-unsent.statement';
import { type EdgeEnd, recordEdgeOutcomesStatement } from '../waiting/record-edge-outcomes.statement';
import { dayOfMessage } from './ledger-day';

const now = new Date();
const messageId = newId();
const pageId = newId();
const day = dayOfMessage(messageId);
const key = { appId: 'shop', messageId, deviceId: '1' };

const receipt: DeviceReceipts = {
  ...key,
  state: 'shown',
  deliveredAt: now,
  shownAt: now,
  openedAt: null,
  dismissedAt: null,
};
const outcome = { appId: 'shop', messageId, pageId, deviceIds: ['1'], times: [now.getTime()], isComplete: true };
const delivered: EdgeEnd = { state: 'delivered', errorCode: null, reason: null };
const failed: EdgeEnd = { state: 'failed', errorCode: 'too_large', reason: 'Too large' };

// PostgreSQL 18 can crash where a statement that locks rows finds its partitions while it runs (docs/decisions/0039).
describe('a statement that locks rows of the ledger', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await createShop(throwAway.dataSource, 0);
  });
  afterAll(() => throwAway.drop());

  async function planOf(statement: Sql): Promise<string> {
    const lines = await rows<{ 'QUERY PLAN': string }>(throwAway.dataSource, sql`EXPLAIN ${statement}`);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  }

  it.each<[string, () => Sql]>([
    ['records what devices reported', () => recordReceiptsStatement(day, [receipt], now, 'skip')],
    ['records what one device reported, and waits', () => recordReceiptsStatement(day, [receipt], now, 'wait')],
    ['records deliveries over a connection', () => recordEdgeOutcomesStatement(day, [outcome], delivered, now)],
    ['records failures over a connection', () => recordEdgeOutcomesStatement(day, [outcome], failed, now)],
    ['keeps what waits for a device', () => lockUnsentStatement(day, [{ ...key, pageId }], now)],
    [
      'takes deliveries out of their packs',
      () => lockPacksStatement(day, 'shop', [{ messageId, span: '0', id: pageId }]),
    ],
  ])('reads no other day when it %s', async (_what, statement) => {
    const plan = await planOf(statement());
    expect(plan).toContain('LockRows');
    const tables = [...plan.matchAll(/ on (?:pages|deliveries|messages|delivery_packs)(\w*)/g)].map(([, name]) => name);
    expect(new Set(tables)).toEqual(new Set([day.name]));
  });

  it('locks the contacts of users before it reads their deliveries of any day', async () => {
    const devices = [{ id: '1', userId: 'ana' }];
    const frequencyCaps = [{ messages: 1, seconds: 3_600 }];
    const contacts = { appId: 'shop', messageId, devices, frequencyCaps, isCapped: false, since: now, now };
    const plan = await planOf(tidyContactsStatement(contacts));
    expect(plan).toContain(' on deliveries');
    expect(plan).not.toContain('LockRows');
  });
});
