import { screen } from '@testing-library/react';
import type { TokenResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { TokenSettings } from './token-settings';

const token = (name: string): TokenResponse => ({
  id: name,
  name,
  scopes: ['read'],
  createdAt: '2026-05-01T10:00:00.000Z',
});

describe('the list of tokens', () => {
  it('says of each button which token it revokes', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/admin/apps/{id}/tokens', [token('The till'), token('The site')]);
    show(<TokenSettings />, { gateway });
    const buttons = await screen.findAllByRole('button', { name: /^Revoke/ });
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['Revoke The till', 'Revoke The site']);
  });
});
