import type { PanelSession } from '@postrider/contracts';
import { screen } from '@testing-library/react';
import { SessionContext } from '../api/session';
import { FakeGateway } from '../testing/fake-gateway';
import { show } from '../testing/show';
import { Navigation, NavigationFoot } from './navigation';

const OPERATOR: PanelSession = { kind: 'operator', appId: null, scopes: ['server'], mayReadDocs: false };

describe('the application in the navigation', () => {
  it('has its id in the second line before its name is read, so that nothing below moves when the name arrives', async () => {
    const gateway = new FakeGateway();
    let answer: (name: string) => void = () => undefined;
    const name = new Promise<string>((resolve) => (answer = resolve));
    gateway.answer('GET', '/api/admin/apps', async () => [
      { id: 'shop', name: await name, createdAt: '2026-11-22T10:00:00.000Z' } as never,
    ]);
    show(
      <SessionContext value={OPERATOR}>
        <Navigation appId="shop" />
      </SessionContext>,
      { gateway },
    );
    const id = screen.getByText('shop');
    const before = id.previousElementSibling;
    expect(before?.textContent).toBe('\u00a0');

    answer('The corner shop');
    await screen.findByRole('button', { name: /The corner shop/ });
    expect(screen.getByText('shop')).toBe(id);
    expect(id.previousElementSibling?.textContent).toBe('The corner shop');
  });
});

describe('the foot of the navigation', () => {
  it('leads to the guide, which everybody may read', () => {
    show(
      <SessionContext
        value={{ kind: 'application', appId: 'shop', tokenId: 't-1', scopes: ['send'], mayReadDocs: false }}
      >
        <NavigationFoot />
      </SessionContext>,
      { gateway: new FakeGateway(), at: '/overview' },
    );
    expect(screen.getByRole('link', { name: /^Guide/ }).getAttribute('href')).toBe('/guide');
    expect(screen.queryByRole('link', { name: /^API reference/ })).toBeNull();
  });

  it('says that the session goes on when the gateway does not end it', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('DELETE', '/panel/session', 500, { message: 'Something is wrong' });
    const { user } = show(<NavigationFoot />, { gateway });
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    const said = await screen.findByText('You are still signed in');
    expect(said.parentElement?.textContent).toContain('Something is wrong. Try again.');
  });
});
