import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { DELIVERY_STATES } from '@postrider/domain';
import type { MessageResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { MessageDetails } from './message-details';

const AT = '2026-11-23T10:00:00.000Z';
const LEAVES = '2999-12-01T09:00:00.000Z';

function campaign(changes: Partial<MessageResponse>): MessageResponse {
  const totals = { ...Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])), pending: 1_898, skipped: 2 };
  return {
    ...{ id: 'm-1', kind: 'query', status: 'accepted', count: 1_898, recipients: 1_900, totals, users: null },
    ...{ acceptedAt: AT, expiresAt: LEAVES, cancelledAt: null, doneAt: null, sendAt: null, startsAt: AT },
    ...{ trackId: 'sale', clientId: null, batchId: null, channel: 'public/default', content: { content: 'Sale' } },
    ...{ byVendor: { fcm: { pending: 1_898 } }, skipped: { no_token: 2 }, skippedByVendor: {}, errors: {} },
    ...{ fallback: {}, localTime: false, ignoreQuietHours: false, rate: null, ...changes },
  } as MessageResponse;
}

const DELIVERIES = '/api/push/messages/{id}/deliveries';

function showCampaign(changes: Partial<MessageResponse>, at = '/campaigns/m-1'): ReturnType<typeof show> {
  const gateway = new FakeGateway();
  gateway.answer('GET', '/api/push/messages/{id}/stats', () => new Promise(() => undefined));
  gateway.answer('GET', DELIVERIES, { deliveries: [], nextCursor: null });
  const back = { href: '/campaigns', label: 'Campaigns' };
  return show(<MessageDetails kind="campaigns" message={campaign(changes)} back={back} />, { gateway, at });
}

const cards = (): (string | null)[] =>
  screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

describe('the page of a campaign', () => {
  it('shows no progress before it leaves, but when it leaves and who will not get it', async () => {
    const { user } = showCampaign({ sendAt: LEAVES, startsAt: LEAVES });
    expect(cards()).toContain('Scheduled');
    expect(cards()).toContain('Not sent, and why');
    for (const card of ['Progress', 'Totals', 'By vendor']) expect(cards()).not.toContain(card);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    const question = await screen.findByRole('dialog', { name: 'Cancel this campaign?' });
    within(question).getByText(/^Nothing of it was sent yet/);
    within(question).getByRole('button', { name: 'Close without changes' });
  });

  it('says each device’s local time as their clocks show it, also where the reader’s clock skips that hour', () => {
    showCampaign({ sendAt: '2027-03-14T02:30:00', startsAt: LEAVES, localTime: true });
    screen.getByText('Mar 14, 2027, 2:30 AM, in each device’s own time zone');
    expect(document.body.textContent).toContain('at Mar 14, 2027, 2:30 AM, local time of each device');
  });

  it('shows how far it came once it has left', async () => {
    const { user } = showCampaign({ sendAt: AT, status: 'sending' });
    for (const card of ['Progress', 'Totals', 'By vendor']) expect(cards()).toContain(card);
    expect(cards()).not.toContain('Scheduled');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    const question = await screen.findByRole('dialog', { name: 'Cancel this campaign?' });
    within(question).getByText(/^It is not sent to the 1,898 devices that still wait/);
    within(question).getByRole('button', { name: 'Close without changes' });
  });

  it('says in words whom it is for', () => {
    const tags = { name: 'tags', operator: 'include' as const, value: ['sport', 'music'] };
    showCampaign({ segment: { all: [tags] }, target: { deviceType: 'ios' } });
    const audience = screen.getByText('Who gets it').nextElementSibling?.textContent;
    expect(audience).toBe('Device type is ios and the user has one of the tags sport, music');
    cleanup();
    showCampaign({});
    expect(screen.getByText('Who gets it').nextElementSibling?.textContent).toBe('Everybody in the channel');
  });

  it('shows its text in each of its languages, and in each of its variants', async () => {
    const localized = { de: { content: 'Ausverkauf', notification: { title: 'Heute' } } };
    const notification = { title: 'Today' };
    const { user } = showCampaign({ content: { content: 'Sale', useAsAlert: true, notification, localized } as never });
    const picture = (): string | null => screen.getByRole('group', { name: /^Preview on/ }).textContent;
    expect(picture()).toContain('Today');
    await user.selectOptions(screen.getByLabelText('Language shown'), 'de');
    expect(picture()).toContain('HeuteAusverkauf');

    cleanup();
    const variants = [{ name: 'A' }, { name: 'B', content: 'Bargains', localized }];
    const tested = showCampaign({ content: { content: 'Sale', useAsAlert: true, variants } as never });
    expect(picture()).toContain('Sale');
    await tested.user.selectOptions(screen.getByLabelText('Variant shown'), 'B');
    expect(picture()).toContain('Bargains');
    await tested.user.selectOptions(screen.getByLabelText('Variant shown'), 'B, in de');
    expect(picture()).toContain('Ausverkauf');
  });

  it('lists the same devices when somebody comes back to it', async () => {
    const { user, gateway } = showCampaign({ status: 'done' });
    await user.click(screen.getByRole('button', { name: 'skipped' }));
    await waitFor(() => expect(window.location.search).toBe('?state=skipped'));
    cleanup();
    const again = showCampaign({ status: 'done' }, '/campaigns/m-1?state=skipped&language=fa');
    const query = { state: 'skipped', language: 'fa' };
    await waitFor(() => expect(again.gateway.askedFor('GET', DELIVERIES)[0]?.query).toMatchObject(query));
    expect(gateway.askedFor('GET', DELIVERIES).at(-1)?.query).toMatchObject({ state: 'skipped' });
  });
});
