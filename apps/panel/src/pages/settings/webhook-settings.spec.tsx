import { screen, waitFor } from '@testing-library/react';
import type { WebhookResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { WebhookSettings } from './webhook-settings';

const webhook = (url: string, isEnabled: boolean): WebhookResponse => ({
  ...{ id: url, url, isEnabled, events: ['message.done'], failures: 0, failingSince: null, heldUntil: null },
  ...{ disabledReason: null, lastError: null, lastErrorAt: null, lastSuccessAt: null },
  ...{ createdAt: '2026-05-01T10:00:00.000Z', updatedAt: '2026-05-01T10:00:00.000Z' },
});

describe('the list of webhooks', () => {
  it('says of each button which webhook it is about, and begins with the words that are seen', async () => {
    const gateway = new FakeGateway();
    const urls = ['https://one.example/hook', 'https://two.example/hook'] as const;
    gateway.answer('GET', '/api/webhooks', { webhooks: [webhook(urls[0], true), webhook(urls[1], false)] });
    show(<WebhookSettings />, { gateway, at: '/settings/webhooks' });
    await screen.findByRole('button', { name: `Test ${urls[0]}` });
    for (const url of urls) {
      expect(screen.getByRole('link', { name: `Log of ${url}` }).textContent).toBe('Log');
      expect(screen.getByRole('button', { name: `Test ${url}` }).textContent).toBe('Test');
      expect(screen.getByRole('button', { name: `Remove ${url}` }).textContent).toBe('Remove');
    }
    expect(screen.getByRole('button', { name: `Switch off ${urls[0]}` }).textContent).toBe('Switch off');
    expect(screen.getByRole('button', { name: `Switch on ${urls[1]}` }).textContent).toBe('Switch on');
  });

  it('removes a webhook that somebody else has removed meanwhile', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/webhooks', { webhooks: [webhook('https://one.example/hook', true)] });
    gateway.answerWith('DELETE', '/api/webhooks/{id}', () => {
      gateway.answer('GET', '/api/webhooks', { webhooks: [] });
      return Response.json({ error: { code: 'NOT_FOUND', message: 'There is no such webhook' } }, { status: 404 });
    });
    const { user } = show(<WebhookSettings />, { gateway, at: '/settings/webhooks' });
    await user.click(await screen.findByRole('button', { name: 'Remove https://one.example/hook' }));
    await user.click(await screen.findByRole('button', { name: 'Remove it' }));
    await screen.findByText('No webhook yet');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each([
    ['Test', 'POST', '/api/webhooks/{id}/test'],
    ['Switch off', 'PATCH', '/api/webhooks/{id}'],
  ] as const)('%s: a webhook that somebody else has removed meanwhile leaves the list', async (label, method, path) => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/webhooks', { webhooks: [webhook('https://one.example/hook', true)] });
    gateway.answerWith(method, path, () => {
      gateway.answer('GET', '/api/webhooks', { webhooks: [] });
      return Response.json({ error: { code: 'NOT_FOUND', message: 'There is no such webhook' } }, { status: 404 });
    });
    const { user } = show(<WebhookSettings />, { gateway, at: '/settings/webhooks' });
    await user.click(await screen.findByRole('button', { name: `${label} https://one.example/hook` }));
    await screen.findByText('No webhook yet');
    await screen.findByText('Somebody else has removed this webhook');
  });
});
