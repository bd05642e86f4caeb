import { screen, within } from '@testing-library/react';
import { DELIVERY_STATES } from '@postrider/domain';
import type { DeliveryResponse, MessageResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { type ReactNode, useState } from 'react';
import { Deliveries } from './deliveries';

const AT = '2026-11-23T10:00:00.000Z';

describe('the devices of a message', () => {
  const delivery = (changes: Partial<DeliveryResponse>): DeliveryResponse =>
    ({
      ...{ userId: 'ada', installationId: 'i-1', state: 'opened', reason: null, error: null, vendor: 'fcm' },
      ...{ language: null, variant: null, createdAt: AT, updatedAt: AT, ...changes },
    }) as DeliveryResponse;

  async function headersOf(content: Partial<MessageResponse['content']>): Promise<(string | null)[]> {
    const gateway = new FakeGateway();
    const deliveries = [delivery({ variant: 'urgent', language: 'fa' }), delivery({ installationId: 'i-2' })];
    gateway.answer('GET', '/api/push/messages/{id}/deliveries', { deliveries, nextCursor: null });
    const totals = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0]));
    const message = { id: 'm-1', status: 'done', content, totals } as unknown as MessageResponse;
    show(<Deliveries message={message} kind="campaigns" state={null} onState={() => undefined} />, { gateway });
    await screen.findByRole('table', { name: 'Devices' });
    return screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  }

  it('name the variant and the language of each, where the message has them', async () => {
    const variant = { weight: 1, content: 'Hurry' };
    const variants = [
      { ...variant, name: 'plain' },
      { ...variant, name: 'urgent' },
    ];
    expect(await headersOf({ variants, localized: { fa: {} } })).toEqual([
      ...['User and device', 'State', 'Why', 'Vendor', 'Language', 'Variant', 'Changed'],
    ]);
    expect(screen.getByRole('cell', { name: 'urgent' })).not.toBeNull();
    expect(screen.getByRole('cell', { name: 'fa' })).not.toBeNull();
  });

  it('have no column of which every row would be empty', async () => {
    expect(await headersOf({})).toEqual(['User and device', 'State', 'Why', 'Vendor', 'Changed']);
  });

  it('lead to their own page, except for one that was removed', async () => {
    const gateway = new FakeGateway();
    const gone = { userId: null, installationId: null, createdAt: '2026-11-23T11:00:00.000Z' };
    const deliveries = [delivery({}), delivery(gone)];
    gateway.answer('GET', '/api/push/messages/{id}/deliveries', { deliveries, nextCursor: null });
    const totals = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0]));
    const message = { id: 'm-1', status: 'done', content: {}, totals } as unknown as MessageResponse;
    show(<Deliveries message={message} kind="campaigns" state={null} onState={() => undefined} />, { gateway });
    await screen.findByText('Device was removed');
    const table = within(screen.getByRole('table', { name: 'Devices' }));
    expect(table.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      expect.stringMatching(/\/campaigns\/m-1\/devices\/i-1$/),
    ]);
  });

  it('are not called unreachable while they wait', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/push/messages/{id}/deliveries', { deliveries: [], nextCursor: null });
    const totals = { ...Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])), pending: 1_598 };
    const message = { id: 'm-1', status: 'accepted', content: {}, totals } as unknown as MessageResponse;
    show(<Deliveries message={message} kind="campaigns" state={null} onState={() => undefined} />, { gateway });
    await screen.findByText(/^1,598 devices wait\./);
    expect(screen.queryByText(/no reachable device/)).toBeNull();
  });

  it('are read again as soon as the message has ended, and when its totals change after that', async () => {
    const gateway = new FakeGateway();
    const path = '/api/push/messages/{id}/deliveries';
    const answer = (reason: string): void =>
      gateway.answer('GET', path, { deliveries: [delivery({ state: 'pending', reason })], nextCursor: null });
    const totals = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0]));
    function Ending(): ReactNode {
      const [sent, setSent] = useState(0);
      const message = { id: 'm-1', status: sent === 0 ? 'sending' : 'done', content: {}, totals: { ...totals, sent } };
      return (
        <>
          <button onClick={() => setSent(sent + 1)}>On</button>
          <Deliveries message={message as never} kind="campaigns" state={null} onState={() => undefined} />
        </>
      );
    }
    answer('Waits for its turn');
    const { user } = show(<Ending />, { gateway });
    await screen.findByText('Waits for its turn');
    for (const reason of ['At the end', 'And later']) {
      answer(reason);
      await user.click(screen.getByRole('button', { name: 'On' }));
      await screen.findByText(reason);
    }
  });

  it('are narrowed down to a language, also of a variant, and exported as they are listed', async () => {
    const gateway = new FakeGateway();
    const path = '/api/push/messages/{id}/deliveries';
    gateway.answer('GET', path, { deliveries: [delivery({ language: 'fa' })], nextCursor: null });
    const totals = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0]));
    const variants = [
      { name: 'plain', weight: 1 },
      { name: 'urgent', weight: 1, localized: { fr: {} } },
    ];
    const content = { localized: { fa: {} }, variants };
    const message = { id: 'm-1', status: 'done', content, totals } as unknown as MessageResponse;
    const { user } = show(<Deliveries message={message} kind="campaigns" state="opened" onState={() => undefined} />, {
      gateway,
    });
    await screen.findByRole('table', { name: 'Devices' });
    await user.click(screen.getByRole('combobox', { name: 'Language' }));
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Default', 'fa', 'fr']);
    gateway.answer('GET', path, { deliveries: [], nextCursor: null });
    await user.click(screen.getByRole('option', { name: 'fr' }));
    await screen.findByText('No device got it in this language');
    expect(gateway.askedFor('GET', path).at(-1)?.query).toMatchObject({ state: 'opened', language: 'fr' });
    const { search, pathname } = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Export as CSV' }).href);
    expect(pathname).toBe('/apps/shop/api/push/messages/m-1/deliveries/export');
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual({ state: 'opened', language: 'fr' });
  });

  it.each([null, 'sent'] as const)('are said to be gone once their users are erased: %s', async (state) => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/push/messages/{id}/deliveries', { deliveries: [], nextCursor: null });
    const totals = { ...Object.fromEntries(DELIVERY_STATES.map((one) => [one, 0])), sent: 1 };
    const message = { id: 'm-1', status: 'done', content: {}, recipients: 1, totals } as unknown as MessageResponse;
    show(<Deliveries message={message} kind="messages" state={state} onState={() => undefined} />, { gateway });
    await screen.findByText('These devices are no longer known');
  });

  it('are fewer than the totals count when users were erased: the end of the list says how many', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/push/messages/{id}/deliveries', { deliveries: [delivery({})], nextCursor: null });
    const totals = { ...Object.fromEntries(DELIVERY_STATES.map((one) => [one, 0])), opened: 1, sent: 2 };
    const message = { id: 'm-1', status: 'done', content: {}, recipients: 3, totals } as unknown as MessageResponse;
    show(<Deliveries message={message} kind="messages" state={null} onState={() => undefined} />, { gateway });
    await screen.findByText('2 devices of erased users are counted in the totals and not listed here.');
  });

  it('are not called erased while some may be listed later', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/push/messages/{id}/deliveries', ({ query }) => ({
      deliveries: [delivery({ installationId: `after ${query.cursor}` })],
      nextCursor: `${query.cursor}.`,
    }));
    const totals = { ...Object.fromEntries(DELIVERY_STATES.map((one) => [one, 0])), opened: 3 };
    const sending = { id: 'm-1', status: 'sending', content: {}, recipients: 3, totals } as unknown as MessageResponse;
    show(<Deliveries message={sending} kind="messages" state={null} onState={() => undefined} />, { gateway });
    await screen.findByRole('table', { name: 'Devices' });
    expect(screen.queryByText(/erased/)).toBeNull();
  });

  it('of a user without any are not said to have got nothing: the user may be erased since', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/push/messages/{id}/deliveries', { deliveries: [], nextCursor: null });
    gateway.answer('GET', '/api/push/messages/{id}/devices', { devices: [] });
    const totals = { ...Object.fromEntries(DELIVERY_STATES.map((one) => [one, 0])), sent: 1 };
    const message = { id: 'm-1', status: 'done', content: {}, recipients: 1, totals } as unknown as MessageResponse;
    const { user } = show(<Deliveries message={message} kind="messages" state={null} onState={() => undefined} />, {
      gateway,
    });
    await user.type(screen.getByLabelText('Find a user'), 'ada{Enter}');
    const words = (await screen.findByText(/^No device is registered for/)).textContent;
    expect(words).toContain('If the user was erased');
    expect(words).not.toContain('nothing was sent');
  });
});
