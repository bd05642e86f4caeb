import type { AcceptedMessage } from '../start/simulator';
import { Arrivals } from './arrivals';

describe('the arrivals of a drill', () => {
  let inbox: AcceptedMessage[];
  const simulator = {
    inboxAfter: (after: number, most: number) =>
      Promise.resolve(
        [...inbox]
          .reverse()
          .filter(({ id }) => id > after)
          .slice(0, most),
      ),
  };
  const accepted = (id: number, token: string, body: string): AcceptedMessage => ({
    ...{ id, token, body, acceptedAt: new Date(id).toISOString() },
  });

  it('are all that came, also what the inbox does not hold any more, without campaigns to others', async () => {
    const arrivals = new Arrivals(simulator, [{ user: 'ada', token: 't' }]);
    inbox = [accepted(1, 't', 'single 1'), accepted(2, 'other', 'campaign 2')];
    expect(await arrivals.all()).toEqual([{ text: 'single 1', token: 't', at: 1 }]);
    inbox = [accepted(3, 't', 'campaign 2'), accepted(4, 't', 'campaign 2'), accepted(5, 'other', 'single 1')];
    expect((await arrivals.all()).slice(1)).toEqual([
      { text: 'campaign 2', token: 't', at: 3 },
      { text: 'campaign 2', token: 't', at: 4 },
      { text: 'single 1', token: 'other', at: 5 },
    ]);
    inbox = [accepted(7, 't', 'single 6')];
    await expect(arrivals.all()).rejects.toThrow('The inbox dropped messages unread');
  });
});
