import { waitingEndsAt } from './waiting-ends-at';

describe('the end of an inbox', () => {
  const acceptedAt = new Date('2026-03-01T12:00:00Z');
  const inAnHour = new Date('2026-03-01T13:00:00Z');
  const tenSecondsOn = new Date('2026-03-01T12:00:10Z');

  it('comes with the expiry of the message', () => {
    expect(waitingEndsAt('any', acceptedAt, inAnHour)).toEqual(inAnHour);
    expect(waitingEndsAt('inApp', acceptedAt, inAnHour)).toEqual(inAnHour);
  });

  it('leaves a moment to a message that is sent now or never', () => {
    expect(waitingEndsAt('any', acceptedAt, acceptedAt)).toEqual(tenSecondsOn);
  });

  it('comes at once for a live message, which is for this moment only', () => {
    expect(waitingEndsAt('live', acceptedAt, inAnHour)).toEqual(tenSecondsOn);
  });
});
