import { screen, waitFor, within } from '@testing-library/react';
import type { MessageSummaryResponse } from '@postrider/server/document';
import { formatMoment } from '../../components/format';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { MessageList } from './messages-page';

const PATH = '/api/push/messages';
const AT = '2026-09-23T10:00:00.000Z';
const TEMPLATE = {
  ...{ id: 't-1', name: 'Order ready', description: null, version: 1 },
  ...{ createdAt: AT, updatedAt: AT, updatedBy: 'operator' },
};

describe('the list of messages', () => {
  it('says of a scheduled one when it leaves, by which the list is ordered, and when it was accepted', async () => {
    const at = '2999-12-01T09:00:00.000Z';
    const waiting = {
      ...{ id: 'm-1', kind: 'users', status: 'accepted', count: 2, trackId: null, acceptedAt: AT },
      ...{ sendAt: at, startsAt: at, content: { content: 'Tea' } },
    } as MessageSummaryResponse;
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { messages: [waiting], nextCursor: null });
    gateway.answer('GET', '/api/templates', { templates: [], nextCursor: null });
    show(<MessageList />, { gateway, at: '/messages' });
    const table = await screen.findByRole('table', { name: 'Messages' });
    expect(within(table).getAllByRole('columnheader').at(-1)?.textContent).toBe('Sent or leaves');
    expect(within(table).getAllByRole('cell').at(-1)?.textContent).toBe(
      `${formatMoment(at)} accepted ${formatMoment(AT)}`,
    );
  });

  it('is narrowed down by state, kind, channel and template, and says that nothing matches', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { messages: [], nextCursor: null });
    gateway.answer('GET', '/api/templates', { templates: [TEMPLATE], nextCursor: null });
    const { user } = show(<MessageList />, { gateway, at: '/messages' });
    await screen.findByText('No message yet');
    const filters = screen.getByRole('group', { name: 'Filters' });
    await user.click(within(filters).getByRole('combobox', { name: 'State' }));
    await user.click(screen.getByRole('option', { name: 'cancelled' }));
    await user.click(within(filters).getByRole('combobox', { name: 'Kind' }));
    await user.click(screen.getByRole('option', { name: 'Notification' }));
    await user.type(within(filters).getByLabelText('Channel'), 'sport');
    await user.click(await within(filters).findByRole('combobox', { name: 'Template' }));
    await user.click(screen.getByRole('option', { name: 'Order ready' }));
    const asked = { status: 'cancelled', kind: 'notify', channel: 'sport', templateId: 't-1' };
    await waitFor(() => expect(gateway.askedFor('GET', PATH).at(-1)?.query).toMatchObject(asked));
    expect(await screen.findByText('No message matches')).toBeDefined();
    await user.click(within(filters).getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(window.location.search).toBe(''));
  });
});
