import { waitingEndsAt } from './message';

describe('the end of waiting for a connection', () => {
  const acceptedAt = Date.parse('2026-03-01T12:00:00Z');
  const inAnHour = Date.parse('2026-03-01T13:00:00Z');
  const tenSecondsOn = Date.parse('2026-03-01T12:00:10Z');

  it('comes with the expiry of the message', () => {
    expect(waitingEndsAt(false, acceptedAt, inAnHour)).toEqual(inAnHour);
  });

  it('leaves a moment to a message that is sent now or never', () => {
    expect(waitingEndsAt(false, acceptedAt, acceptedAt)).toEqual(tenSecondsOn);
  });

  it('comes at once for a live message, which is for this moment only', () => {
    expect(waitingEndsAt(true, acceptedAt, inAnHour)).toEqual(tenSecondsOn);
  });
});
