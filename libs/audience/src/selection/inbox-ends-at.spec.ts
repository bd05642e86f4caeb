import { inboxEndsAt } from './inbox-ends-at';

describe('the end of an inbox', () => {
  const acceptedAt = new Date('2026-03-01T12:00:00Z');
  const inAnHour = new Date('2026-03-01T13:00:00Z');
  const tenSecondsOn = new Date('2026-03-01T12:00:10Z');

  it('comes with the expiry of the message', () => {
    expect(inboxEndsAt('any', acceptedAt, inAnHour)).toEqual(inAnHour);
    expect(inboxEndsAt('inApp', acceptedAt, inAnHour)).toEqual(inAnHour);
  });

  it('leaves a moment to a message that is sent now or never', () => {
    expect(inboxEndsAt('any', acceptedAt, acceptedAt)).toEqual(tenSecondsOn);
  });

  it('comes at once for a live message, which is for this moment only', () => {
    expect(inboxEndsAt('live', acceptedAt, inAnHour)).toEqual(tenSecondsOn);
  });
});
