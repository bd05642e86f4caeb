import { screen, within } from '@testing-library/react';
import { DELIVERY_STATES, type DeliveryState } from '@postrider/domain';
import type { MessageResponse } from '@postrider/server/document';
import { show } from '../../testing/show';
import { Funnel, StateTotals, VendorTotals } from './message-totals';

/** A message with its totals only. */
function messageWith(counts: Partial<Record<DeliveryState, number>>): MessageResponse {
  const totals = Object.fromEntries(DELIVERY_STATES.map((state) => [state, counts[state] ?? 0]));
  const recipients = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { totals, recipients, count: recipients - (counts.skipped ?? 0) } as unknown as MessageResponse;
}

/** Returns the rows of the table, cell by cell. */
const rows = (): string[][] =>
  screen.getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => textContent ?? ''));

describe('the totals of a message by state', () => {
  it('name the states that there are, what each means, and its share, and add up', () => {
    show(<StateTotals message={messageWith({ sent: 1_500, opened: 499, failed: 1 })} onState={() => undefined} />);
    expect(rows().map(([state, , devices]) => [state, devices])).toEqual([
      ['State', 'Devices'],
      ['sent', '1,500'],
      ['opened', '499'],
      ['failed', '1'],
      ['All recipients', '2,000'],
    ]);
    expect(screen.getByRole('row', { name: /^opened/ }).textContent).toContain('the user opened it');
    expect(screen.getByRole('row', { name: /^sent/ }).textContent).toContain('75');
  });

  it('have the shares of the funnel, of the devices that the message is sent to: skipped ones have none', () => {
    show(<StateTotals message={messageWith({ sent: 60, opened: 20, skipped: 20 })} onState={() => undefined} />);
    expect(rows().map(([state, , , share]) => [state, share])).toEqual([
      ['State', 'Share'],
      ['sent', '75 %'],
      ['opened', '25 %'],
      ['skipped', '–'],
      ['All recipients', ''],
    ]);
  });

  it('lead from a state to its devices', async () => {
    const onState = jest.fn();
    const { user } = show(<StateTotals message={messageWith({ sent: 3, skipped: 2 })} onState={onState} />);
    await user.click(within(screen.getByRole('row', { name: /^skipped/ })).getByRole('button'));
    expect(onState).toHaveBeenCalledWith('skipped');
  });

  it('claim no share where the audience came to nobody', () => {
    show(<StateTotals message={messageWith({})} onState={() => undefined} />);
    expect(rows()).toHaveLength(2);
    expect(screen.getByRole('row', { name: /^All/ }).textContent).toBe('All recipients0');
  });
});

describe('the totals of a message by vendor', () => {
  it('add up to all recipients: devices without a vendor have a row', () => {
    const message = messageWith({ sent: 5, opened: 2, skipped: 4 });
    const byVendor = { fcm: { sent: 5, opened: 2, skipped: 1 } };
    show(<VendorTotals message={{ ...message, byVendor }} />);
    expect(rows()).toEqual([
      ['Vendor', 'Devices', 'Sent', 'Delivered', 'Opened', 'Not sent'],
      ['Firebase (FCM)', '8', '7', '2', '2', '1'],
      ['None', '3', '0', '0', '0', '3'],
    ]);
  });
});

describe('how far the devices of a message came', () => {
  const shares = (): string[] => screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');

  it('has its shares of the devices that the message is sent to, not of those that were skipped', () => {
    const message = messageWith({ sent: 60, opened: 20, skipped: 20 });
    show(<Funnel message={{ ...message, count: 80 }} />);
    const [audience, sent, , , opened] = shares();
    expect(audience).toBe('Recipientsall devices of the audience100');
    expect(sent).toMatch(/80100 %$/);
    expect(opened).toMatch(/2025 %$/);
  });

  it('has no shares where nothing is sent', () => {
    const message = messageWith({ skipped: 3 });
    show(<Funnel message={{ ...message, count: 0 }} />);
    expect(shares()[1]).toMatch(/0–$/);
  });
});
