import type { SeededMessages } from './seed-messages';
import type { SeededRooms } from './seed-rooms';

/** One request that a page of the panel makes. */
export interface PageCall {
  /** The page and its subject. */
  page: string;
  path: string;
  /** True if the request has the token of the operator. */
  isOperators?: boolean;
  /** The body of a count. Nobody waits for a page because of a count, so counts have no limit. */
  body?: object;
}

/** The subjects of the calls. */
export interface PageSubjects extends SeededMessages, SeededRooms {
  appId: string;
  /** The cursor behind four thousand campaigns, and behind half a message's devices. */
  campaignCursor: string;
  deliveryCursor: string;
  installationId: string;
}

/** Returns every request that the pages of the panel make, in the order of its navigation. */
export function pageCalls(of: PageSubjects): PageCall[] {
  return [
    ...overviewCalls(),
    ...listCalls(of),
    ...bigMessages(of),
    ...otherMessages(of),
    ...userCalls(of),
    ...roomCalls(of),
    ...settingsCalls(of),
    ...countCalls(),
  ];
}

function overviewCalls(): PageCall[] {
  const midnight = new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString();
  return [
    { page: 'overview', path: `push/overview?since=${midnight}` },
    { page: 'overview: last messages', path: 'push/messages?limit=5' },
    { page: 'overview: last campaigns', path: 'push/campaigns?limit=5' },
  ];
}

function listCalls({ campaignCursor, busyUser }: PageSubjects): PageCall[] {
  return [
    { page: 'messages', path: 'push/messages?limit=50' },
    { page: 'messages by user', path: 'push/messages?limit=50&userId=user-4711' },
    { page: 'messages by busy user', path: `push/messages?limit=50&userId=${busyUser}` },
    { page: 'messages by client', path: 'push/messages?limit=50&clientId=shop-7' },
    { page: 'messages by track id', path: 'push/messages?limit=50&trackId=order-33' },
    { page: 'messages by unknown track', path: 'push/messages?limit=50&trackId=none' },
    { page: 'campaigns', path: 'push/campaigns?limit=50' },
    { page: 'campaigns: the last 30 days', path: 'push/overview/campaigns' },
    { page: 'campaigns, further down', path: `push/campaigns?limit=50&cursor=${campaignCursor}` },
    { page: 'campaigns by track id', path: 'push/campaigns?limit=50&trackId=offer-77' },
    { page: 'campaigns by client', path: 'push/campaigns?limit=50&clientId=crm-7' },
    { page: 'campaigns by user', path: `push/campaigns?limit=50&userId=${busyUser}` },
  ];
}

/** Returns the requests for two campaigns to every device: one that is under way, and one that is done. */
function bigMessages(of: PageSubjects): PageCall[] {
  return (['running', 'done'] as const).flatMap((which) => {
    const id = of[which];
    const deliveries = `push/messages/${id}/deliveries?limit=50`;
    return [
      { page: `${which} million`, path: `push/campaigns/${id}` },
      { page: `${which} million: what people did`, path: `push/messages/${id}/stats` },
      { page: `${which} million: devices`, path: deliveries },
      { page: `${which} million: further down`, path: `${deliveries}&cursor=${of.deliveryCursor}` },
      ...['pending', 'sent', 'opened', 'failed', 'expired', 'skipped', 'cancelled'].map((state) => ({
        page: `${which} million: ${state} ones`,
        path: `${deliveries}&state=${state}`,
      })),
      { page: `${which} million: fallbacks`, path: `push/messages/${id}/fallbacks?limit=50` },
      { page: `${which} million: a user`, path: `push/messages/${id}/devices?userId=user-4711` },
      { page: `${which} million: a device`, path: `push/messages/${id}/devices/${of.installationId}` },
    ];
  });
}

function otherMessages({ counted, middle, small, single }: PageSubjects): PageCall[] {
  return [
    { page: '16,000 counts: by hour', path: `push/messages/${counted}/stats` },
    { page: '16,000 counts: by day', path: `push/messages/${counted}/stats?interval=day` },
    { page: 'campaign to 10,000', path: `push/campaigns/${middle}` },
    { page: 'campaign to 10,000: devices', path: `push/messages/${middle}/deliveries?limit=50` },
    { page: 'small campaign', path: `push/campaigns/${small}` },
    { page: 'small campaign: what people did', path: `push/messages/${small}/stats` },
    { page: 'message to one user', path: `push/messages/${single}` },
    { page: 'message to one user: devices', path: `push/messages/${single}/deliveries?limit=50` },
  ];
}

function userCalls({ installationId, busyUser }: PageSubjects): PageCall[] {
  return [
    { page: 'users', path: 'users?limit=50' },
    { page: 'users by prefix', path: 'users?limit=50&prefix=user-47' },
    { page: 'users by whole id', path: 'users?limit=50&prefix=user-4711' },
    { page: 'users by unknown prefix', path: 'users?limit=50&prefix=zz' },
    { page: 'user', path: 'users/user-4711' },
    { page: 'user: timeline', path: 'users/user-4711/deliveries?limit=50' },
    { page: 'busy user: timeline', path: `users/${busyUser}/deliveries?limit=50` },
    { page: 'user: presence', path: `installations/${installationId}/presence` },
    { page: 'user: inbox', path: `installations/${installationId}/inbox?limit=5` },
  ];
}

function roomCalls({ segmentId, promoSetId, trackerId }: PageSubjects): PageCall[] {
  const from = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 30 * 86_400_000).toISOString();
  return [
    { page: 'segments', path: 'segments?limit=50&trend=true' },
    { page: 'compose: segments', path: 'segments?limit=200' },
    { page: 'segment', path: `segments/${segmentId}` },
    { page: 'segment: sizes', path: `segments/${segmentId}/sizes` },
    { page: 'compose: channels', path: 'channels?limit=200' },
    { page: 'promo sets', path: 'promo/sets?limit=50' },
    { page: 'compose: promo sets', path: 'promo/sets?inForce=true&limit=200' },
    { page: 'promo set', path: `promo/sets/${promoSetId}` },
    { page: 'promo set: who got what', path: `promo/sets/${promoSetId}/assignments?limit=50` },
    { page: 'promo set: one user', path: `promo/sets/${promoSetId}/assignments?limit=50&user=user-4711` },
    { page: 'trackers', path: 'trackers?limit=50' },
    { page: 'tracker', path: `trackers/${trackerId}` },
    { page: 'tracker: clicks of 30 days', path: `trackers/${trackerId}/stats?from=${from}&interval=day` },
  ];
}

function settingsCalls({ appId, webhookId }: PageSubjects): PageCall[] {
  const own = (page: string, path: string): PageCall => ({ page, path, isOperators: true });
  return [
    own('settings: applications', 'apps'),
    own('settings: application', `apps/${appId}`),
    own('settings: tokens', `apps/${appId}/tokens`),
    own('settings: vendors', `apps/${appId}/vendors`),
    own('settings: health of vendors', `apps/${appId}/vendors/health`),
    { page: 'settings: webhooks', path: 'webhooks' },
    { page: 'settings: log of a webhook', path: `webhooks/${webhookId}/deliveries?limit=50` },
    {
      page: 'settings: its failed ones',
      path: `webhooks/${webhookId}/deliveries?limit=50&state=failed`,
    },
  ];
}

/** Returns counts that run again while a person writes rules: they may take long, and are shown as under way. */
function countCalls(): PageCall[] {
  const segment = { all: [{ name: 'tags', operator: 'include', value: ['chess', 'sport'] }] };
  return [
    { page: '(counting a segment)', path: 'segments/count', body: { segment } },
    { page: '(counting its users too)', path: 'segments/count', body: { segment, users: true } },
    { page: '(explaining a segment)', path: 'segments/explain', body: { segment } },
    { page: '(explaining a user)', path: 'segments/explain', body: { segment, userId: 'user-4711' } },
  ];
}
