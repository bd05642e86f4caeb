import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { rows } from '../database/executor';

/**
 * What an erasure does about every column that names a user or a device. A new column needs a line here, and code in
 * the erasure.
 */
const COLUMNS: Record<string, string> = {
  'connection_closures.device_id': 'a number; the edge takes it away within a second',
  'connection_sessions.id': 'goes with the installation',
  'connection_sessions.user_id': 'goes with the installation',
  'conversions.device_id': 'goes with the delivery',
  'deferred_handovers.device_id': 'goes with the installation',
  'deliveries.device_id': 'becomes a number of no device',
  'delivery_clicks.device_id': 'goes with the delivery',
  'delivery_packs.device_ids': 'loses the device',
  'erasures.device_ids': 'goes when the erasure ends',
  'erasures.user_id': 'goes when the erasure ends',
  'fallbacks.phone': 'goes',
  'fallbacks.user_id': 'becomes an id of no user',
  'former_owners.device_id': 'goes with the installation',
  'former_owners.user_id': 'goes',
  'hand_overs.device_id': 'a number; the row goes after a minute',
  'hand_overs.user_id': 'goes',
  'inbox_marks.device_id': 'goes with the device',
  'installations.token': 'goes with the installation',
  'installations.user_id': 'goes with the installation',
  'link_opens.device_id': 'goes',
  'link_opens.user_id': 'goes',
  'messages.user_ids': 'loses the user',
  'opted_out_numbers.phone': 'a keyed digest, which has to stay',
  'pages.device_ids': 'numbers of devices that are gone',
  'promo_assignments.user_id': 'becomes an id of no user',
  'quarantined_tokens.device_id': 'goes with the installation',
  'removed_tokens.device_id': 'goes',
  'removed_tokens.user_id': 'goes',
  'reported_events.user_id': 'goes',
  'user_contacts.device_ids': 'goes with the user',
  'user_contacts.user_id': 'goes',
  'users.user_id': 'goes',
};

describe('the columns that name a user', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });
  afterAll(() => database.drop());

  it('are all known to an erasure', async () => {
    const found = await rows<{ name: string }>(
      database.dataSource,
      `SELECT c.table_name || '.' || c.column_name AS name
       FROM information_schema.columns c JOIN pg_class t ON t.relname = c.table_name AND t.relnamespace = 'public'::regnamespace
       WHERE c.table_schema = 'public' AND t.relkind IN ('r', 'p') AND NOT t.relispartition
         AND (c.column_name ~ '(^|_)(users?|devices?|former|owner)(_ids?)$' OR c.column_name IN ('phone', 'token')
           OR (c.table_name, c.column_name) = ('connection_sessions', 'id'))
       ORDER BY 1`,
      [],
    );
    expect(found.map(({ name }) => name)).toEqual(Object.keys(COLUMNS));
  });
});
