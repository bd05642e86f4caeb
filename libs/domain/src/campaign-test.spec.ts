import { campaignGroupOf, campaignSalt, contentOfVariant, PLACES, type UserPlaces, variantFor } from './campaign-test';
import { contentOfEdition, editionsOf } from './edition';
import type { CampaignVariant, MessageContent } from './message';
import { bestVariant, estimateShare, isDifferent } from './test-figures';

const FLAGS = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };
const VARIANTS: CampaignVariant[] = [
  { name: 'A', weight: 1, content: 'a' },
  { name: 'B', weight: 3, content: 'b' },
];
const at = (places: Partial<UserPlaces>): UserPlaces => ({ holdout: PLACES - 1, share: 0, variant: 0, ...places });

describe('the part of a campaign that a user belongs to', () => {
  it('follows from their places: held out first, then the rest, then a variant by its weight', () => {
    const content = {
      variants: VARIANTS,
      holdout: 10,
      winner: { metric: 'opened', after: 60, share: 50 },
    } as const;
    const asked = { ...content, variants: [...content.variants] };
    expect(campaignGroupOf(asked, at({ holdout: 0, share: PLACES - 1 }))).toEqual({ kind: 'holdout' });
    expect(campaignGroupOf(asked, at({ share: PLACES / 2 }))).toEqual({ kind: 'rest' });
    expect(campaignGroupOf(asked, at({ share: PLACES / 2 - 1, variant: PLACES / 4 - 1 }))).toEqual({
      kind: 'variant',
      name: 'A',
    });
    expect(campaignGroupOf(asked, at({ variant: PLACES / 4 }))).toEqual({ kind: 'variant', name: 'B' });
    expect(campaignGroupOf(asked, at({ variant: PLACES - 1 }))).toEqual({ kind: 'variant', name: 'B' });
    expect(campaignGroupOf({}, at({}))).toEqual({ kind: 'everybody' });
    expect(campaignGroupOf({}, at({ holdout: 0 }))).toEqual({ kind: 'everybody' });
    expect(campaignGroupOf({ holdout: 25 }, at({ holdout: PLACES / 4 - 1 }))).toEqual({ kind: 'holdout' });
    expect(campaignGroupOf({ holdout: 25 }, at({ holdout: PLACES / 4 }))).toEqual({ kind: 'everybody' });
  });

  it('gives the rest the winner, once there is one', () => {
    const content = { variants: VARIANTS, winner: { metric: 'opened' as const, after: 60, share: 1 } };
    const rest = at({ share: PLACES - 1 });
    expect(variantFor(content, rest, null)).toBeNull();
    expect(variantFor(content, rest, 'B')).toBe('B');
    expect(variantFor(content, at({}), 'B')).toBe('A');
    expect(variantFor({}, at({}), 'B')).toBeNull();
  });
});

describe('the content of a variant', () => {
  const content: MessageContent = {
    ...FLAGS,
    content: 'Hello',
    notification: { title: 'Sale', sound: 'ping' },
    localized: { fa: { content: 'سلام', notification: { title: 'حراج', body: 'امروز' } } },
    variants: [
      { name: 'A', weight: 1 },
      { name: 'B', weight: 1, content: 'Hi', notification: { title: 'Now!' }, localized: { de: { content: 'Hallo' } } },
    ],
  };

  it('is that of the message with what the variant says in its place, in each language', () => {
    const usual: MessageContent = { ...content };
    delete usual.variants;
    expect(contentOfVariant(content, 'A')).toEqual(usual);
    expect(contentOfVariant(content, 'B')).toEqual({
      ...FLAGS,
      content: 'Hi',
      notification: { title: 'Now!', sound: 'ping' },
      localized: { fa: { notification: { body: 'امروز' } }, de: { content: 'Hallo' } },
    });
    expect(contentOfVariant(content, null)).toEqual(usual);
    expect(contentOfEdition(content, { language: 'de', variant: 'B' })).toEqual({
      ...FLAGS,
      content: 'Hallo',
      notification: { title: 'Now!', sound: 'ping' },
    });
  });

  it('replaces each field of a language that the variant says for everybody, and no other', () => {
    const fa = { alertText: 'ببین', notification: { title: 'حراج' } };
    const variants = [
      { name: 'A', weight: 1, content: 'Hi' },
      { name: 'B', weight: 1, alertText: 'Look', notification: { title: 'Now!' } },
      { name: 'C', weight: 1, localized: { FA: { notification: { body: 'امروز' } } } },
    ];
    const localizedOf = (name: string): unknown =>
      contentOfVariant({ ...FLAGS, content: 'Hello', localized: { fa }, variants }, name).localized;
    expect(localizedOf('A')).toEqual({ fa });
    expect(localizedOf('B')).toEqual({ fa: {} });
    expect(localizedOf('C')).toEqual({ fa: { ...fa, notification: { title: 'حراج', body: 'امروز' } } });
    const plain = { ...FLAGS, content: 'Hello', variants };
    expect(contentOfVariant(plain, 'A')).toEqual({ ...FLAGS, content: 'Hi' });
    expect(contentOfVariant(plain, 'C').localized).toEqual({ FA: { notification: { body: 'امروز' } } });
  });

  it('adds further fields of its notification to those of the message', () => {
    const notification = { title: 'Sale', extra: { image: 'a.png', color: 'red' } };
    const variants = [
      { name: 'A', weight: 1, notification: { extra: { color: 'blue' } } },
      { name: 'B', weight: 1, notification: { title: 'Now!' } },
    ];
    const made = (name: string): unknown =>
      contentOfVariant({ ...FLAGS, content: 'Hello', notification, variants }, name).notification;
    expect(made('A')).toEqual({ title: 'Sale', extra: { image: 'a.png', color: 'blue' } });
    expect(made('B')).toEqual({ title: 'Now!', extra: { image: 'a.png', color: 'red' } });
  });

  it('has an edition for each language that it can be in', () => {
    expect(editionsOf(content)).toEqual([
      { language: null, variant: 'A' },
      { language: 'fa', variant: 'A' },
      { language: null, variant: 'B' },
      { language: 'fa', variant: 'B' },
      { language: 'de', variant: 'B' },
    ]);
  });
});

describe('the salt of a campaign', () => {
  it('is the same for campaigns of one track id, and different for others', () => {
    expect(campaignSalt('spring', 'one')).toBe(campaignSalt('spring', 'other'));
    expect(campaignSalt('spring', 'one')).not.toBe(campaignSalt('summer', 'one'));
    expect(campaignSalt(null, 'one')).not.toBe(campaignSalt(null, 'other'));
    expect(campaignSalt('one', 'x')).not.toBe(campaignSalt(null, 'one'));
  });
});

describe('the figures of a test', () => {
  it('have the interval of Wilson', () => {
    // Values of R: prop.test(x, n, correct = FALSE)
    expect(estimateShare({ users: 100, reacted: 12 })).toMatchObject({ share: 0.12 });
    expect(estimateShare({ users: 100, reacted: 12 })?.low).toBeCloseTo(0.07, 3);
    expect(estimateShare({ users: 100, reacted: 12 })?.high).toBeCloseTo(0.1981, 3);
    expect(estimateShare({ users: 10, reacted: 0 })).toMatchObject({ low: 0 });
    expect(estimateShare({ users: 10, reacted: 0 })?.high).toBeCloseTo(0.2775, 3);
    expect(estimateShare({ users: 0, reacted: 0 })).toBeNull();
  });

  it('have a best variant: the highest rate, the first when rates are equal or there are none', () => {
    const count = (users: number, reacted: number): { users: number; reacted: number } => ({ users, reacted });
    expect(bestVariant([count(10, 1), count(100, 20), count(5, 0)])).toBe(1);
    expect(bestVariant([count(10, 1), count(20, 2)])).toBe(0);
    expect(bestVariant([count(0, 0), count(0, 0)])).toBe(0);
    expect(bestVariant([count(0, 0), count(9, 1)])).toBe(1);
  });

  it('say whether a difference is more than chance, and nothing of a few users', () => {
    expect(isDifferent({ users: 1_000, reacted: 200 }, { users: 1_000, reacted: 150 })).toBe(true);
    expect(isDifferent({ users: 1_000, reacted: 160 }, { users: 1_000, reacted: 150 })).toBe(false);
    expect(isDifferent({ users: 20, reacted: 2 }, { users: 20, reacted: 1 })).toBeNull();
    expect(isDifferent({ users: 0, reacted: 0 }, { users: 20, reacted: 1 })).toBeNull();
    expect(isDifferent({ users: 1_000, reacted: 183 }, { users: 1_000, reacted: 150 })).toBe(true);
    expect(isDifferent({ users: 1_000, reacted: 183 }, { users: 1_000, reacted: 150 }, 9)).toBe(false);
  });
});
