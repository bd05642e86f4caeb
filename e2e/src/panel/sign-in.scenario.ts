import { inspectPage } from './support/inspect-page';
import { type PanelHarness, signIn } from './support/panel-harness';

/** Signing in and out, and what a token's scopes show. */
export function signInScenario(panel: () => PanelHarness): void {
  it('refuses a wrong token, takes the right one, and ends', async () => {
    const page = await panel().openSignedOut();
    await signIn(page, panel().adminToken);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await inspectPage(page, 'sign-in');
    await page.getByLabel('Token', { exact: true }).fill('not-a-token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This token is not valid').waitFor();
    await signIn(page, panel().adminToken);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ name: 'postrider_panel', httpOnly: true, sameSite: 'Strict', path: '/' }]);
  });

  it('shows the pages that a token’s scopes open, and only its own application', async () => {
    const { appId } = await panel().application('scoped');
    const { body } = await panel().postrider.admin.call<{ token: string }>('POST', `/api/admin/apps/${appId}/tokens`, {
      name: 'reader',
      scopes: ['read'],
    });
    const page = await panel().open('/', body.token);
    await page.waitForURL(`**/panel/apps/${appId}/overview`);
    const navigation = page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'Campaigns' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Compose' }).count()).toBe(0);
    expect(await navigation.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    await page.goto('/panel/apps/other/overview');
    await page.waitForURL(`**/panel/apps/${appId}/overview`);
  });
}
