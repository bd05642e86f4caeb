import { screen } from '@testing-library/react';
import { ApiError, foreignAnswer } from '../api/api-error';
import { show } from '../testing/show';
import { ErrorNotice } from './error-notice';

describe('the notice of a failed request', () => {
  it('says after how many seconds it may be tried again', async () => {
    const refused = (seconds: number): ApiError => new ApiError('Too many requests', 429, 'RATE_LIMITED', [], seconds);
    show([1, 20].map((seconds) => <ErrorNotice key={seconds} error={refused(seconds)} />));
    const [one, many] = await screen.findAllByRole('alert');
    expect(one?.textContent).toContain('Too many requests. Try again in 1 second.');
    expect(many?.textContent).toContain('Try again in 20 seconds.');
  });

  it('says what helps where a proxy asks for a sign-in, and does not blame the database for what a proxy says', async () => {
    show([200, 503].map((status) => <ErrorNotice key={status} error={foreignAnswer(status)} />));
    const [page, unavailable] = await screen.findAllByRole('alert');
    expect(page?.textContent).toContain('It may ask you to sign in: open the panel in another tab');
    expect(unavailable?.textContent).toContain("Try again. If the error stays, look at the gateway's log.");
  });
});
