import { CampaignTurns } from './campaign-page-limit';

describe('turns of campaign pages', () => {
  it('lets so many of one route at once, in the order they came, and other routes beside them', async () => {
    const turns = new CampaignTurns(2);
    expect(await turns.take('fcm a')).toBe(true);
    expect(await turns.take('fcm a')).toBe(true);
    expect(await turns.take('fcm b')).toBe(true);
    const order: string[] = [];
    const waiting = ['third', 'fourth'].map((name) => turns.take('fcm a').then(() => order.push(name)));
    turns.give('fcm a');
    turns.give('fcm a');
    await Promise.all(waiting);
    expect(order).toEqual(['third', 'fourth']);
  });

  it('sends whoever waited too long away, and keeps the turn for the next', async () => {
    jest.useFakeTimers();
    const turns = new CampaignTurns(1);
    await turns.take('fcm a');
    const late = turns.take('fcm a');
    jest.advanceTimersByTime(1_500);
    expect(await late).toBe(false);
    turns.give('fcm a');
    expect(await turns.take('fcm a')).toBe(true);
    jest.useRealTimers();
  });
});
