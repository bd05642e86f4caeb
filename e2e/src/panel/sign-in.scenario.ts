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

  it('shows keys again that were on the screen when the session ended, after the same token', async () => {
    const page = await panel().openSignedOut();
    await signIn(page, panel().adminToken);
    await page.goto('/panel/applications');
    await page.getByRole('button', { name: 'New application' }).click();
    await page.getByLabel('Name').fill('Ended session');
    await page.getByRole('button', { name: 'Create application' }).click();
    const keys = page.getByRole('dialog', { name: 'Save these values now. They are shown once' });
    await keys.waitFor();
    const shown = await keys.getByRole('code').allTextContents();
    await page.context().clearCookies();
    // Somebody who comes back to the window after minutes: the session is read again.
    await page.clock.install();
    await page.clock.fastForward('05:00');
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText(shown[0] ?? '').isVisible()).toBe(false);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
    await inspectPage(page, 'sign-in-again');
    await signIn(page, panel().adminToken);
    await keys.waitFor();
    expect(await keys.getByRole('code').allTextContents()).toEqual(shown);
    await keys.getByRole('button', { name: 'I have saved them' }).click();
    await page.waitForURL('**/panel/apps/ended-session/settings/vendors');
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
