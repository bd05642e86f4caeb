import { DAY_MS, type JsonObject } from '@postrider/domain';
import { type Executor, rows, sql } from '@postrider/persistence';
import { type Api, ApiRefusal } from '../api';
import type { SimulatorCredentials } from './demo-application';

/** The gateway as the operator and as the application's backend calls it. */
export interface DemoCallers {
  appId: string;
  admin: Api;
  server: Api;
  /** The gateway's address and the server token, for uploads as forms. */
  gatewayUrl: string;
  serverToken: string;
}

const SEGMENTS: readonly { name: string; segment: JsonObject }[] = [
  {
    name: 'Active this week',
    segment: { all: [{ name: 'launchTime', operator: 'after', value: '7d' }] },
  },
  {
    name: 'Sport fans on Android',
    segment: {
      all: [
        { name: 'tags', operator: 'include', value: ['sport'] },
        { name: 'deviceType', operator: 'equal_to', value: 'android' },
      ],
    },
  },
  {
    name: 'Regular buyers',
    segment: { all: [{ name: 'purchase.count', operator: 'greater_than', value: 8 }] },
  },
  {
    name: 'Old versions',
    segment: { all: [{ name: 'clientVersion', operator: 'lesser_than', value: '2.3' }] },
  },
];

const TRACKERS = [
  { name: 'Newsletter', destination: 'https://shop.example/autumn' },
  { name: 'Poster at the station', destination: 'https://shop.example/station' },
  { name: 'Instagram story', destination: 'https://shop.example/story' },
];

const TEMPLATES: readonly { name: string; description: string; message: JsonObject; variables: JsonObject[] }[] = [
  {
    name: 'Order ready',
    description: 'To one user, when the order can be collected',
    message: {
      content: 'Order {{ variables.order }} is ready at {{ variables.place }}.',
      useAsAlert: true,
      notification: {
        title: 'Your order is ready',
        actions: [{ id: 'route', title: 'Show the way', url: 'shop://stores' }],
      },
    },
    variables: [
      { name: 'order', required: true },
      { name: 'place', default: 'the shop' },
    ],
  },
  {
    name: 'Weekly picks',
    description: 'A campaign of every week, in two languages',
    message: {
      content: 'New this week: {{ variables.topic }}.',
      useAsAlert: true,
      notification: { title: 'Your weekly picks' },
      localized: {
        de: {
          content: 'Neu in dieser Woche: {{ variables.topic }}.',
          notification: { title: 'Die Woche für dich' },
        },
      },
    },
    variables: [{ name: 'topic', required: true }],
  },
];

/** As the panel keeps it; fields that it leaves out are empty in the form. */
const DRAFT: { name: string; message: JsonObject } = {
  name: 'Winter sale',
  message: {
    name: 'Winter sale',
    audience: { kind: 'everyone' },
    title: 'The winter sale begins',
    content: 'Up to 40 % off, from Friday on.',
    clickUrl: 'https://shop.example/winter',
    trackId: 'winter-sale',
    trackLinks: true,
  },
};

const PROMO_CAMPAIGN = 'welcome-back';
const CODES = 1_200;

/** Connects the vendors that the first start leaves out. */
export async function connectVendors({ admin, appId }: DemoCallers, simulator: SimulatorCredentials): Promise<void> {
  for (const vendor of ['hms', 'webpush', 'sms']) {
    await admin.call('PUT', `/api/admin/apps/${appId}/vendors/${vendor}`, simulator[vendor]);
  }
}

/** Saves segments, unless they are there, and writes how large they were in the past: as they are now, in a smaller application. */
export async function fillSegments(executor: Executor, { server, appId }: DemoCallers, now: Date): Promise<void> {
  const { body } = await server.call<{ segments: { name: string }[] }>('GET', '/api/segments');
  const known = new Set(body.segments.map(({ name }) => name));
  for (const wanted of SEGMENTS.filter(({ name }) => !known.has(name))) {
    const made = (await server.call<{ id: string }>('POST', '/api/segments', wanted)).body;
    const count = await server.call<{ count: number; devices: number; users: number }>('POST', '/api/segments/count', {
      segment: wanted.segment,
      users: true,
    });
    await rows(executor, sizesOfThePast(appId, made.id, count.body, now));
  }
}

function sizesOfThePast(
  appId: string,
  segmentId: string,
  { devices, count, users }: { devices: number; count: number; users: number },
  now: Date,
): ReturnType<typeof sql> {
  return sql`
    INSERT INTO segment_sizes (app_id, segment_id, measured_at, devices, reachable, users)
    SELECT ${appId}, ${segmentId}::uuid, t.at, round(${devices}::int * share), round(${count}::int * share), round(${users}::int * share)
    FROM (
      SELECT at FROM generate_series(date_trunc('day', ${now}::timestamptz) - interval '27 days', date_trunc('day', ${now}::timestamptz)
        - interval '14 days', interval '1 day') AS day (at)
      UNION ALL
      SELECT at FROM generate_series(date_trunc('day', ${now}::timestamptz) - interval '13 days', ${now}::timestamptz - interval '1 hour',
        interval '1 hour') AS hour (at)
    ) t CROSS JOIN LATERAL (
      SELECT (count(*) FILTER (WHERE created_at <= t.at))::float8 / greatest(count(*), 1)
        * (1 - 0.03 * abs(sin(extract(epoch FROM t.at) / 86400 * pi()))) AS share
      FROM installations WHERE app_id = ${appId}
    ) population
    ON CONFLICT DO NOTHING`;
}

/** Makes trackers, unless they are there, with four weeks of clicks. */
export async function fillTrackers(executor: Executor, { server, appId }: DemoCallers, now: Date): Promise<void> {
  const { body } = await server.call<{ trackers: { name: string }[] }>('GET', '/api/trackers');
  const known = new Set(body.trackers.map(({ name }) => name));
  for (const [place, wanted] of TRACKERS.entries()) {
    if (known.has(wanted.name)) continue;
    const { id } = (await server.call<{ id: string }>('POST', '/api/trackers', wanted)).body;
    const from = new Date(now.getTime() - 28 * DAY_MS);
    await rows(executor, sql`UPDATE trackers SET created_at = ${from} WHERE app_id = ${appId} AND tracker_id = ${id}`);
    await rows(executor, clicksOfThePast(appId, id, { from, until: now, strength: 9 / (place + 1) }));
  }
}

/** Saves templates and a draft, unless they are there. */
export async function fillTexts({ server }: DemoCallers): Promise<void> {
  const { templates } = (await server.call<{ templates: { name: string }[] }>('GET', '/api/templates')).body;
  const known = new Set(templates.map(({ name }) => name));
  for (const wanted of TEMPLATES) if (!known.has(wanted.name)) await server.call('POST', '/api/templates', wanted);
  const { drafts } = (await server.call<{ drafts: { name: string }[] }>('GET', '/api/drafts')).body;
  if (!drafts.some(({ name }) => name === DRAFT.name)) await server.call('POST', '/api/drafts', DRAFT);
}

/** People click by day, most in the evening; most of them come once, some install the app, and most of those open the link. */
function clicksOfThePast(
  appId: string,
  trackerId: string,
  { from, until, strength }: { from: Date; until: Date; strength: number },
): ReturnType<typeof sql> {
  return sql`
    WITH clicked AS MATERIALIZED (
      SELECT hour, platform, ceil(random() * ${strength}::float8 * weight * (1 - cos(extract(hour FROM hour) / 12 * pi())))::bigint AS clicks
      FROM generate_series(date_trunc('hour', ${from}::timestamptz, 'UTC'), date_trunc('hour', ${until}::timestamptz, 'UTC')
        - interval '1 hour', interval '1 hour') AS hour
      CROSS JOIN (VALUES ('ios', 0.9), ('android', 1.2), ('web', 0.5)) AS p (platform, weight)
    )
    INSERT INTO tracker_counts (app_id, tracker_id, kind, hour, platform, count)
    SELECT ${appId}, ${trackerId}, kind, hour, platform, count FROM clicked CROSS JOIN LATERAL (
      VALUES ('click', clicks), ('visit', ceil(clicks * 0.8)::bigint), ('install', floor(clicks * 0.3)::bigint),
        ('opened', floor(clicks * 0.2)::bigint)
    ) AS k (kind, count)
    WHERE count > 0 ON CONFLICT DO NOTHING`;
}

/**
 * Sends today's messages through the product: a campaign with promo codes, one that is scheduled, and a message with an
 * SMS fallback.
 */
export async function sendToday(callers: DemoCallers, now: Date): Promise<void> {
  const { server } = callers;
  const { sets } = (await server.call<{ sets: unknown[] }>('GET', `/api/promo/sets?trackId=${PROMO_CAMPAIGN}`)).body;
  if (sets.length === 0) {
    await server
      .call('POST', '/api/push/campaigns', { trackId: PROMO_CAMPAIGN, name: 'Welcome back' })
      .catch(ignoreExisting);
    await uploadCodes(callers);
  }
  await server.call(
    'POST',
    '/api/push/byQuery',
    {
      trackId: PROMO_CAMPAIGN,
      target: { tags: ['travel', 'food'] },
      notification: {
        title: 'Welcome back',
        body: 'Your code for 10 %: {{ promoCode }}',
        actions: [{ id: 'use', title: 'Use it', url: 'https://shop.example/code' }],
      },
      content: 'Welcome back',
      trackLinks: true,
    },
    { 'idempotency-key': 'demo-welcome-back' },
  );
  const sendAt = new Date(Math.ceil((now.getTime() + DAY_MS) / DAY_MS) * DAY_MS + (18 / 24) * DAY_MS);
  await server.call(
    'POST',
    '/api/push/byQuery',
    {
      trackId: 'weekend',
      segment: { all: [{ name: 'tags', operator: 'include', value: ['music', 'film'] }] },
      notification: { title: 'The weekend is yours', body: 'Three concerts near you.' },
      content: 'The weekend is yours',
      sendAt: sendAt.toISOString(),
    },
    { 'idempotency-key': 'demo-weekend' },
  );
  const { users } = (await server.call<{ users: { userId: string }[] }>('GET', '/api/users?limit=100')).body;
  const userIds = users.map(({ userId }) => userId).slice(0, 12);
  await server.call(
    'POST',
    '/api/push/toUsers',
    {
      users: userIds,
      content: 'Your table is booked for tonight.',
      notification: { title: 'Your table', body: 'Booked for tonight at eight.' },
      trackId: 'table',
      fallback: { content: 'Your table is booked for tonight at eight.', delay: 120 },
    },
    { 'idempotency-key': 'demo-table' },
  );
}

/**
 * Ignores that an interrupted fill has made it before.
 *
 * @throws any other error
 */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof ApiRefusal) || error.status !== 409) throw error;
}

async function uploadCodes({ gatewayUrl, serverToken, appId }: DemoCallers): Promise<void> {
  const codes = Array.from({ length: CODES }, (_, n) => `BACK-${(n * 7_919 + 100_003).toString(36).toUpperCase()}`);
  const form = new FormData();
  form.append('file', new Blob([`${codes.join('\n')}\n`], { type: 'text/csv' }), 'codes.csv');
  const answer = await fetch(`${gatewayUrl}/apps/${appId}/api/containers/updatePromoCodes/${PROMO_CAMPAIGN}`, {
    method: 'POST',
    headers: { 'x-access-token': serverToken },
    body: form,
  });
  if (!answer.ok) throw new Error(`The promo codes were refused: ${answer.status} ${await answer.text()}`);
}
