import { DAY_MS } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { dayOfMessage } from '../partitions/ledger-day';
import { PartitionsRepository } from '../partitions/partitions.repository';
import { findHintedStatement } from './find-waiting.statement';
import { WaitingDeliveriesRepository } from './waiting-deliveries.repository';

const DEVICES = ['1', '2', '3'];
const NOW = new Date();

describe('messages of which an edge was told', () => {
  let throwAway: ThrowAwayDatabase;
  const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => throwAway.dataSource.query(text, values);

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await new PartitionsRepository(throwAway.dataSource).ensure(new Date(NOW.getTime() - DAY_MS), 2);
  });
  afterAll(() => throwAway.drop());

  const held = async (at: Date): Promise<string> => {
    const messageId = newId(at);
    await query(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, edge_id, state, fence)
       VALUES ('shop', $1, gen_random_uuid(), 'connection', 'transactional', $2, 'edge', 'running', 1)`,
      [messageId, DEVICES],
    );
    return messageId;
  };

  it('are read in the partitions of their day, and device by device only if some have an outcome', async () => {
    const messageId = await held(NOW);
    const day = dayOfMessage(messageId);
    const { text, values } = findHintedStatement(day, [messageId], { edgeId: 'edge', limit: 100 }).toQuery();
    const plan = (await query<Record<'QUERY PLAN', string>>(`EXPLAIN (ANALYZE) ${text}`, values))
      .map((line) => line['QUERY PLAN'])
      .join('\n');
    expect(new Set(plan.match(/_\d{8}/g))).toEqual(new Set([day.name]));
    expect(plan).not.toContain(`loops=${DEVICES.length})`);
  });

  it('are found in their order, of whatever days, without devices that have an outcome', async () => {
    const repository = new WaitingDeliveriesRepository(throwAway.dataSource);
    const today = await held(NOW);
    const yesterday = await held(new Date(NOW.getTime() - DAY_MS));
    await query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank) VALUES ('shop', $1, 2, 'delivered', 5)`,
      [today],
    );
    const gone = newId(new Date(0));
    const found = await repository.findOnEdge('edge', { messageIds: [today, gone, yesterday] }, 100);
    expect(found.map(({ messageId, deviceIds }) => [messageId, deviceIds])).toEqual([
      [yesterday, DEVICES],
      [today, ['1', '3']],
    ]);
  });
});
