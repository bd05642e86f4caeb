import type { WebhookDeliveryResponse } from '@postrider/server/document';
import { screen, waitFor } from '@testing-library/react';
import { FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { WebhookLog } from './webhook-log';

const PATH = '/api/webhooks/{id}/deliveries';
const AGAIN = '/api/webhooks/{id}/deliveries/{eventId}/redeliver';

const call = (eventId: string): WebhookDeliveryResponse =>
  ({
    ...{ eventId, type: 'message.done', state: 'failed', attempt: 1, statusCode: 500, error: null, durationMs: 12 },
    createdAt: '2026-05-01T10:00:00.000Z',
  }) as WebhookDeliveryResponse;

describe('the log of a webhook', () => {
  async function showLog(): Promise<Shown> {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, ({ query }) => ({
      deliveries: query.state === 'waiting' ? [] : [call('one'), call('two')],
      nextCursor: null,
    }));
    const shown = show(<WebhookLog id="hook" />, { gateway });
    await screen.findByText('one');
    return shown;
  }

  const buttonOf = (eventId: string): HTMLElement =>
    screen.getByRole('button', { name: `Send again message.done ${eventId}` });

  it('says of each button which call it sends again, and which one is under way', async () => {
    const { user, gateway } = await showLog();
    let accept = (): void => undefined;
    gateway.answer('POST', AGAIN, () => new Promise((resolve) => (accept = () => resolve({} as never))));
    await user.click(buttonOf('two'));
    await waitFor(() => expect(buttonOf('two').dataset.loading).toBe('true'));
    expect(buttonOf('one').dataset.loading).toBeUndefined();
    accept();
    await screen.findByText('The event is sent again');
    await waitFor(() => expect(buttonOf('two').dataset.loading).toBeUndefined());
  });

  it('says why a call was not sent again', async () => {
    const { user, gateway } = await showLog();
    gateway.refuse('POST', AGAIN, 409, { message: 'The webhook is switched off' });
    await user.click(buttonOf('one'));
    expect((await screen.findByRole('alert')).textContent).toContain('The webhook is switched off');
  });

  it('does not say that there was no call where only the chosen state has none', async () => {
    const { user } = await showLog();
    await user.click(screen.getByRole('combobox', { name: 'State' }));
    await user.click(await screen.findByRole('option', { name: 'waiting' }));
    await screen.findByText('No call is in this state');
    expect(screen.queryByText('No calls yet')).toBeNull();
  });
});
