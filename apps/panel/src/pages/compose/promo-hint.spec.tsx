import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { PromoSetResponse } from '@postrider/server/document';
import { newMessage } from '../../model/message-draft';
import { composeOf } from '../../testing/compose';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { ComposeContext } from './compose-context';
import { PromoHint } from './promo-hint';

const set = (trackId: string | null, remaining: number): PromoSetResponse =>
  ({ id: `${trackId}`, trackId, remaining, inForce: true }) as PromoSetResponse;

describe('the promo codes of a message', () => {
  it('are counted also where their sets are older than many others', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/promo/sets', ({ query: { cursor } }) =>
      cursor === 'older'
        ? { sets: [set('spring', 5), set(null, 7)], nextCursor: null }
        : { sets: [set('summer', 3)], nextCursor: 'older' },
    );
    const compose = composeOf({ ...newMessage('draft-1'), trackId: 'spring', content: '{{ promoCode }}' });
    show(
      <ComposeContext value={compose}>
        <PromoHint devices={10} />
      </ComposeContext>,
      { gateway },
    );
    const hint = await screen.findByRole('alert');
    expect(hint.textContent).toContain('12 promo codes are left');
    expect(hint.textContent).toContain('Of the campaign spring: 5.');
    expect(hint.textContent).toContain('Of the global set: 7.');
  });

  it('are one code where one is left, and those of other campaigns are offered with the track id and their number', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/promo/sets', { sets: [set('summer', 3), set(null, 1)], nextCursor: null });
    const compose = composeOf({ ...newMessage('draft-1'), content: '{{ promoCode }}' });
    const shown = (devices: number): ReactNode => (
      <ComposeContext value={compose}>
        <PromoHint devices={devices} />
      </ComposeContext>
    );
    show(
      <>
        {shown(1)}
        {shown(2)}
      </>,
      { gateway },
    );
    const [enough, short] = await screen.findAllByRole('alert');
    expect(enough?.textContent).toMatch(/^1 promo code is left/);
    expect(short?.textContent).toMatch(/^1 promo code for 2 devices/);
    expect(screen.getAllByRole('button', { name: 'Use those of summer (3)' })).toHaveLength(2);
  });
});
