import { DAY_MS, type JsonObject, type MessageContent } from '@postrider/domain';
import { oneOf, randomFrom } from './random';

/**
 * The audience of a message of the past: the rules of a segment and the same as SQL, or one user, whom a number from
 * 0 to 1 chooses.
 */
export type PastAudience =
  | { kind: 'everyone' }
  | { kind: 'tag'; tag: string }
  | { kind: 'platform'; deviceType: string }
  | { kind: 'user'; place: number };

/** A message of the past. */
export interface PastMessage {
  /** Its `clientId`: a message whose id exists already is not written again. */
  clientId: string;
  at: Date;
  trackId: string | null;
  audience: PastAudience;
  content: MessageContent;
  /** How many users who open it buy something; 0: it sells nothing. */
  buying: number;
  /** Its popularity, usually 1. */
  appeal: number;
}

interface Campaign {
  trackId: string;
  title: string;
  body: string;
  audience: PastAudience;
  appeal: number;
  buying?: number;
  actions?: { id: string; title: string; url: string }[];
}

const SHOP = 'https://shop.example';
const LOOK = { id: 'look', title: 'Have a look', url: `${SHOP}/new` };
const LATER = { id: 'later', title: 'Remind me', url: 'shop://later' };

/** The campaigns of four weeks; each day has one or two of them. */
const CAMPAIGNS: readonly Campaign[] = [
  { trackId: 'autumn-sale', title: 'Autumn sale: 20 % off', body: 'Everything warm, until Sunday.', audience: { kind: 'everyone' }, appeal: 1.3, buying: 0.22, actions: [LOOK, LATER] },
  { trackId: 'weekly-news', title: 'This week’s stories', body: 'Five long reads for a slow evening.', audience: { kind: 'tag', tag: 'news' }, appeal: 1 },
  { trackId: 'match-day', title: 'Kick-off in an hour', body: 'Tonight’s line-ups are out.', audience: { kind: 'tag', tag: 'sport' }, appeal: 1.6, actions: [{ id: 'line-up', title: 'Line-ups', url: 'shop://match/line-up' }] },
  { trackId: 'new-music', title: 'New on your radar', body: 'Twelve records our editors kept playing.', audience: { kind: 'tag', tag: 'music' }, appeal: 1.1, buying: 0.08, actions: [LOOK] },
  { trackId: 'ios-update', title: 'A faster app is here', body: 'Version 2.4 starts twice as fast.', audience: { kind: 'platform', deviceType: 'ios' }, appeal: 0.7 },
  { trackId: 'city-breaks', title: 'Three days, three cities', body: 'Trains from 19 €.', audience: { kind: 'tag', tag: 'travel' }, appeal: 0.9, buying: 0.12, actions: [LOOK, LATER] },
  { trackId: 'basket', title: 'Still in your basket', body: 'We keep it for one more day.', audience: { kind: 'tag', tag: 'plan' }, appeal: 1.5, buying: 0.3, actions: [{ id: 'checkout', title: 'Check out', url: `${SHOP}/basket` }] },
  { trackId: 'survey', title: 'Two minutes for us?', body: 'Tell us what we should build next.', audience: { kind: 'everyone' }, appeal: 0.5 },
]; // prettier-ignore

const PERSONAL: readonly { title: string; body: string; trackId: string }[] = [
  { trackId: 'parcel', title: 'Your parcel is on its way', body: 'It comes tomorrow between 9 and 12.' },
  { trackId: 'parcel-here', title: 'Your parcel is here', body: 'It waits for you at the door.' },
  { trackId: 'sign-in', title: 'New sign-in', body: 'Somebody signed in to your account. Was it you?' },
  { trackId: 'receipt', title: 'Thank you for your order', body: 'Your receipt is in the app.' },
];

const DAYS = 28;
const PERSONAL_A_DAY = 8;
const HOUR_MS = DAY_MS / 24;
const MORNING = 7;
const SEED = 20_261;

/**
 * Four weeks of messages up to `until`, oldest first. The same for the same `until`.
 */
export function planPast(until: Date): PastMessage[] {
  const random = randomFrom(SEED);
  const planned: PastMessage[] = [];
  const add = (message: Omit<PastMessage, 'clientId'>): void => {
    if (message.at < until) planned.push({ ...message, clientId: `history-${planned.length}` });
  };
  const first = Math.floor(until.getTime() / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS;
  for (let day = 0; day < DAYS; day++) {
    const at = (): Date => new Date(first + day * DAY_MS + (MORNING + random() * 14) * HOUR_MS);
    add(campaign(CAMPAIGNS[day % CAMPAIGNS.length] as Campaign, at()));
    if (random() < 0.4) add(campaign(oneOf(CAMPAIGNS, random), at()));
    for (let n = 0; n < PERSONAL_A_DAY; n++) add(personal(oneOf(PERSONAL, random), at(), random()));
  }
  return planned;
}

function campaign(
  { title, body, trackId, audience, appeal, buying = 0, actions }: Campaign,
  at: Date,
): Omit<PastMessage, 'clientId'> {
  const notification = { title, body, clickUrl: `${SHOP}/${trackId}`, ...(actions && { actions }) };
  return { at, trackId, audience, appeal, buying, content: contentOf(trackId, notification) };
}

function personal(
  { trackId, title, body }: (typeof PERSONAL)[number],
  at: Date,
  place: number,
): Omit<PastMessage, 'clientId'> {
  const content = contentOf(trackId, { title, body, clickUrl: `shop://${trackId}` });
  return { at, trackId, audience: { kind: 'user', place }, appeal: 2, buying: 0, content };
}

function contentOf(trackId: string, notification: MessageContent['notification']): MessageContent {
  const flags = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };
  return { content: notification?.body, trackId, ...flags, notification };
}

/** An audience as the message of a send stores it. */
export function audienceJson(audience: PastAudience, channel: string): JsonObject {
  switch (audience.kind) {
    case 'everyone':
      return { everyone: true, channel };
    case 'tag':
      return { segment: { all: [{ name: 'tags', operator: 'include', value: [audience.tag] }] }, channel };
    case 'platform':
      return { target: { deviceType: [audience.deviceType] }, channel };
    case 'user':
      return { channel };
  }
}
