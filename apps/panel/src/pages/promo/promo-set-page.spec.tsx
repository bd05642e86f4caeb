import { screen } from '@testing-library/react';
import type { PromoSetResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { PromoSetPage } from './promo-set-page';

const PATH = '/api/promo/sets/{id}';

/** A set whose warning two people may change. */
function showSet(): Shown & { set: Pick<PromoSetResponse, 'lowStockAt'> } {
  const set = {
    ...{ id: 'set-1', trackId: 'spring', inForce: true, inForceAt: null, replacedAt: null, isLow: false },
    ...{ total: 9, remaining: 9, assigned: 0, lowStockAt: 5 as number | null },
  };
  const gateway = new FakeGateway();
  gateway.answer('GET', PATH, () => ({ ...set }) as never);
  gateway.answer('GET', '/api/promo/sets/{id}/assignments', { assignments: [], nextCursor: null });
  gateway.answer('PUT', PATH, ({ body }) => Object.assign(set, body) as never);
  return { ...show(<PromoSetPage id="set-1" />, { gateway }), set };
}

describe('the warning of a set of promo codes', () => {
  const field = (): Promise<HTMLElement> => screen.findByLabelText('Warn at this number of remaining codes');
  const save = (): HTMLElement => screen.getByRole('button', { name: 'Save' });

  it('is that which was saved last, also by somebody else', async () => {
    const { readAgain, set } = showSet();
    expect(await field()).toHaveProperty('value', '5');
    set.lowStockAt = 7;
    await readAgain();
    expect(await field()).toHaveProperty('value', '7');
    expect(save()).toHaveProperty('disabled', true);
  });

  it('is not replaced unasked when somebody else has changed it meanwhile', async () => {
    const { user, set } = showSet();
    await user.clear(await field());
    set.lowStockAt = 7;
    await user.click(save());
    await screen.findByText(/Theirs are: a warning at 7\./);
    expect(set.lowStockAt).toBe(7);
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
    await user.click(save());
    await screen.findByText('The warning is saved');
    expect(set.lowStockAt).toBeNull();
  });
});
