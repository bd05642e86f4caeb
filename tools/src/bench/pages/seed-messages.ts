import { newId } from '@postrider/platform';
import { Client } from 'pg';
import { copyInto } from '../../seed/copy-rows';

/** The size of the ledger. */
interface LedgerSize {
  appId: string;
  devices: number;
  campaigns: number;
  messages: number;
}

/** The messages that have pages of their own to measure. */
export interface SeededMessages {
  /** To every device: one under way, one done. */
  running: string;
  done: string;
  /** Done, with 16,000 rows of counts. */
  counted: string;
  /** To ten thousand devices, and to some dozens. */
  middle: string;
  small: string;
  /** To one user. */
  single: string;
  /** The user who has got 5,000 messages. */
  busyUser: string;
}

const DAY_MS = 86_400_000;
const COLUMNS = [
  'app_id',
  'id',
  'kind',
  'is_campaign',
  'lane',
  'audience',
  'user_ids',
  'channel',
  'content',
  'track_id',
  'client_id',
  'status',
  'count',
  'recipients',
  'resolve_ceiling',
  'resolved_at',
  'accepted_at',
  'expires_at',
  'done_at',
];
const BUSY_USER = 'user-1';
const MESSAGES_OF_BUSY_USER = 5_000;
/** How long ago the campaigns to every device were sent: the first is under way. */
const BIG_ONES_AGO_MS = [90_000, 6 * 3_600_000, 3 * DAY_MS, 14 * DAY_MS];
const MIDDLE_ONES = 60;

/**
 * Writes campaigns and messages of four weeks. Four campaigns go to every device, the newest of which is under way;
 * sixty go to a hundredth of the devices, and the others to some dozens.
 */
export async function seedMessages(client: Client, size: LedgerSize): Promise<SeededMessages> {
  const writer = copyInto(client, 'messages', COLUMNS);
  const now = Date.now();
  const campaigns: string[] = [];
  for (let n = 0; n < size.campaigns; n++) {
    const at = new Date(now - (BIG_ONES_AGO_MS[n] ?? 300_000 + (n / size.campaigns) * 28 * DAY_MS));
    const id = newId(at);
    campaigns.push(id);
    await writer.write(campaignCells(size, { n, id, at }));
  }
  let single = '';
  for (let n = 0; n < size.messages; n++) {
    const at = new Date(now - 60_000 - Math.random() * 28 * DAY_MS);
    single = newId(at);
    const user = n < MESSAGES_OF_BUSY_USER ? BUSY_USER : `user-${1 + Math.floor((Math.random() * size.devices) / 2)}`;
    await writer.write(messageCells(size.appId, { n, id: single, at, user }));
  }
  await writer.end();
  const [running = '', done = '', counted = ''] = campaigns;
  const middle = campaigns[BIG_ONES_AGO_MS.length] ?? '';
  return { running, done, counted, middle, small: campaigns.at(-1) ?? '', single, busyUser: BUSY_USER };
}

function campaignCells({ appId, devices }: LedgerSize, { n, id, at }: { n: number; id: string; at: Date }): Cells {
  const isBig = n < BIG_ONES_AGO_MS.length;
  const isMiddle = !isBig && n < BIG_ONES_AGO_MS.length + MIDDLE_ONES;
  const count = isBig ? devices : isMiddle ? devices / 100 : 20 + Math.floor(Math.random() * 100);
  const audience = isBig
    ? { everyone: true }
    : { segment: { all: [{ name: 'tags', operator: 'equal_to', value: 'chess' }] } };
  const content = {
    ...CONTENT,
    content: `Offer ${n}`,
    notification: { title: `Offer ${n}`, body: 'Everything must go, until Sunday only' },
  };
  const ends = new Date(at.getTime() + DAY_MS);
  const isRunning = n === 0;
  return [
    ...[appId, id, 'query', true, 'campaign', { ...audience, channel: 'public/default' }, null, 'public/default'],
    ...[content, `offer-${n % (devices / 500)}`, `crm-${n % 50}`],
    ...[isRunning ? 'accepted' : 'done', count, count, devices, at, at, ends, isRunning ? null : at],
  ];
}

function messageCells(appId: string, { n, id, at, user }: { n: number; id: string; at: Date; user: string }): Cells {
  const content = { ...CONTENT, content: `Your order ${n} is on its way`, notification: { title: 'Shipped' } };
  const ends = new Date(at.getTime() + DAY_MS);
  return [
    ...[appId, id, 'users', false, 'transactional', { channel: 'public/default' }, [user], 'public/default', content],
    ...[n % 3 === 0 ? `order-${n % 1_000}` : null, `shop-${n % 200}`, 'done', 1, 1, 0, at, at, ends, at],
  ];
}

type Cells = Parameters<ReturnType<typeof copyInto>['write']>[0];

const CONTENT = { useAsAlert: true, silent: false, inApp: true, live: false, autoNotify: true };
