import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, emptyAllTables, type ThrowAwayDatabase } from '@postrider/testing';
import { rows } from '../database/executor';
import { sql, type Sql } from '../sql';
import * as due from './due-rows';
import { DueWorkRepository } from './due-work.repository';

const now = new Date();
const before = new Date(now.getTime() - 60_000);
const after = new Date(now.getTime() + 60_000);

/** What is looked for, by the name of its function or constant. */
const KINDS: Record<string, Sql> = {
  duePages: due.duePages(now),
  dueConnectionPages: due.dueConnectionPages(now),
  lateOnConnections: due.lateOnConnections(now),
  dueMessages: due.dueMessages(now),
  dueCancelledMessages: due.dueCancelledMessages(now),
  endedWaits: due.endedWaits(now),
  dueCampaignTests: due.dueCampaignTests(now),
  dueFallbacks: due.dueFallbacks(now),
  dueTagJobs: due.dueFiles(sql`tag_jobs`, now),
  dueDeviceImports: due.dueFiles(sql`device_imports`, now),
  duePromoSets: due.duePromoSets(now),
  dueWebhooks: due.dueWebhooks(now),
  dueDeadTokens: due.dueDeadTokens(now),
  dueSegments: due.dueSegments(now),
  latelyGuarded: due.latelyGuarded(before),
  QUIET_CHANGES: due.QUIET_CHANGES,
  INTERRUPTED_ERASURES: due.INTERRUPTED_ERASURES,
  INTERRUPTED_REMOVALS: due.INTERRUPTED_REMOVALS,
};

describe('the look for due work', () => {
  let throwAway: ThrowAwayDatabase;
  let work: DueWorkRepository;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    work = new DueWorkRepository(throwAway.dataSource);
  });
  afterAll(() => throwAway.drop());
  beforeEach(async () => {
    await emptyAllTables(throwAway.dataSource);
    await insert('applications', { app_id: 'shop', name: 'Shop', identity_key_sealed: '' });
  });

  async function insert(table: string, row: Record<string, unknown>): Promise<void> {
    const names = Object.keys(row);
    const places = names.map((_, place) => `$${place + 1}`).join(', ');
    await rows(
      throwAway.dataSource,
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`,
      Object.values(row),
    );
  }

  async function found(): Promise<string[]> {
    const areDue = await work.areDue(Object.values(KINDS));
    return Object.keys(KINDS).filter((_, place) => areDue[place]);
  }

  const message = (row: object): Promise<void> =>
    insert('messages', {
      ...{ app_id: 'shop', id: newId(), kind: 'query', is_campaign: true, lane: 'campaign', audience: {}, content: {} },
      ...{ channel: 'public/default', count: 1, resolve_ceiling: 0, accepted_at: before, expires_at: after, ...row },
    });
  const page = (row: object): Promise<void> =>
    insert('pages', {
      ...{ app_id: 'shop', message_id: newId(), id: newId(), vendor: 'fcm', lane: 'campaign', device_ids: '{1}' },
      ...{ state: 'waiting', created_at: before, ...row },
    });
  const delivery = (row: object): Promise<void> =>
    insert('deliveries', {
      ...{ app_id: 'shop', message_id: newId(), device_id: 1, state: 'pending', rank: 0, vendor: 'connection' },
      ...{ created_at: before, ...row },
    });

  it('finds nothing in an empty installation', async () => {
    expect(await found()).toEqual([]);
  });

  it('finds nothing where all work is still to come, or has ended', async () => {
    await page({ wake_at: after });
    await page({ wake_at: null, state: 'finished' });
    await page({ wake_at: after, vendor: 'connection' });
    await page({ edge_id: 'edge', created_at: after, vendor: 'connection', state: 'running' });
    await delivery({ edge_id: 'edge', created_at: after });
    await delivery({ edge_id: null });
    await message({ wake_at: after, inbox_ends_at: after, winner_due_at: after });
    await insert('erasures', { app_id: 'shop', user_id: 'ada', erasure_id: newId(), ends_at: after });
    expect(await found()).toEqual([]);
  });

  it.each<[string, string[], () => Promise<void>]>([
    ['a page', ['duePages'], () => page({ wake_at: before })],
    ['a page of connections', ['dueConnectionPages'], () => page({ wake_at: before, vendor: 'connection' })],
    [
      'a page of an edge',
      ['lateOnConnections'],
      () => page({ edge_id: 'edge', vendor: 'connection', state: 'running' }),
    ],
    ['a delivery of an edge', ['lateOnConnections'], () => delivery({ edge_id: 'edge' })],
    ['a message', ['dueMessages'], () => message({ wake_at: before })],
    [
      'a cancelled message',
      ['dueMessages', 'dueCancelledMessages'],
      () => message({ wake_at: before, status: 'cancelled' }),
    ],
    ['a message that is over', ['endedWaits'], () => message({ inbox_ends_at: before })],
    ['a campaign without its winner', ['dueCampaignTests'], () => message({ winner_due_at: before })],
    [
      'new quiet hours',
      ['QUIET_CHANGES'],
      () =>
        rows(throwAway.dataSource, sql`UPDATE applications SET quiet_hours_changed_at = ${before}`).then(
          () => undefined,
        ),
    ],
    [
      'a new demand for proofs',
      ['latelyGuarded'],
      () =>
        rows(
          throwAway.dataSource,
          sql`UPDATE applications SET require_user_hash = true, user_hash_required_at = ${now}`,
        ).then(() => undefined),
    ],
    [
      'an interrupted removal of an application',
      ['INTERRUPTED_REMOVALS'],
      () => rows(throwAway.dataSource, sql`UPDATE applications SET removal_until = ${before}`).then(() => undefined),
    ],
    [
      'an interrupted erasure',
      ['INTERRUPTED_ERASURES'],
      () => insert('erasures', { app_id: 'shop', user_id: 'ada', erasure_id: newId(), ends_at: before }),
    ],
  ])('finds %s that is due, and nothing else', async (_, kinds, add) => {
    await add();
    expect(await found()).toEqual(kinds);
  });
});
