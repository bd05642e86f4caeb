import { inspectPage } from './support/inspect-page';
import type { PanelHarness } from './support/panel-harness';

/** An operator's way: an application, its vendor, its tokens, its limits, its webhooks, its end. */
export function settingsScenario(panel: () => PanelHarness): void {
  it('makes an application and shows its tokens once', async () => {
    const page = await panel().open('/applications');
    await page.getByRole('button', { name: 'New application' }).first().click();
    await page.getByLabel('Name').fill('Corner Shop');
    expect(await page.getByLabel('Id').inputValue()).toBe('corner-shop');
    await page.getByLabel('Name').fill('فروشگاه من');
    expect(await page.getByLabel('Id').inputValue()).toMatch(/^app-\d+$/);
    await page.getByLabel('Name').fill('Corner Shop');
    await page.getByRole('button', { name: 'Create application' }).click();
    const token = await page.locator('code').first().textContent();
    expect(token).toMatch(/^pr_/);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.waitForURL('**/apps/corner-shop/settings/vendors');
    expect(await page.getByText(token ?? '').count()).toBe(0);
    await page.goto('/panel/applications');
    await page.getByRole('link', { name: 'Corner Shop' }).waitFor();
    await inspectPage(page, 'applications');
  });

  it('connects FCM, and says in words when its credentials are refused', async () => {
    const page = await panel().open('/apps/corner-shop/settings/vendors');
    const { serviceAccount, endpoint } = panel().postrider.system.simulator.fcm as {
      serviceAccount: Record<string, string>;
      endpoint: string;
    };
    await page.getByRole('button', { name: 'Connect Firebase (FCM)' }).click();
    await page.getByLabel('Service account').fill('{"project_id":');
    await page.getByRole('button', { name: 'Store and check' }).click();
    await page.getByText('is not JSON').waitFor();
    await page.getByLabel('Service account').fill(JSON.stringify(serviceAccount));
    await page.getByLabel('Other address').fill('https://127.0.0.1:9');
    await page.getByRole('button', { name: 'Store and check' }).click();
    await page.getByText('Firebase (FCM) could not be reached').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Service account').fill(JSON.stringify({ fcm: { serviceAccount, endpoint }, apns: {} }));
    expect(await page.getByLabel('Other address').inputValue()).toBe(endpoint);
    expect(JSON.parse(await page.getByLabel('Service account').inputValue())).toEqual(serviceAccount);
    await inspectPage(page, 'settings-fcm');
    await page.getByRole('button', { name: 'Store and check' }).click();
    await page.getByText('Firebase (FCM) accepts the credentials').waitFor();
    await inspectPage(page, 'settings-vendors');
  });

  it('makes a token, and revokes it', async () => {
    const page = await panel().open('/apps/corner-shop/settings/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('The till');
    await page.getByLabel('send', { exact: true }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = (await page.locator('code').first().textContent()) ?? '';
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText('The till').waitFor();
    await inspectPage(page, 'settings-tokens');
    const till = page.getByRole('listitem').filter({ hasText: 'The till' });
    await till.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await till.waitFor({ state: 'detached' });
    const refused = await fetch(`${panel().postrider.system.gatewayUrl}/api/push/messages`, {
      headers: { 'x-access-token': token },
    });
    expect(refused.status).toBe(401);
  });

  it('keeps settings, limits and quiet hours', async () => {
    const page = await panel().open('/apps/corner-shop/settings/application');
    await page.getByLabel('Default text of notifications').fill('News from the corner');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('The settings are saved').waitFor();
    await page.getByLabel('Region of phone numbers').fill('1x');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('must be a region of two letters').waitFor();
    const quietHours = page.locator('form').filter({ hasText: 'Use quiet hours' });
    await quietHours.getByRole('switch', { name: 'Use quiet hours' }).check();
    await quietHours.getByLabel('From').fill('23:00');
    await quietHours.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The quiet hours are saved').waitFor();
    await inspectPage(page, 'settings-application');
    const { body } = await panel().postrider.admin.call<object>('GET', '/api/admin/apps/corner-shop');
    expect(body).toMatchObject({ defaultAlertText: 'News from the corner', quietHours: { start: '23:00' } });
  });

  it('makes a webhook and shows its log', async () => {
    const page = await panel().open('/apps/corner-shop/settings/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    const address = 'http://127.0.0.1:9/hooks/of-the-corner-shop/messages';
    await page.getByLabel('Address').fill(address);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('code').getByText('whsec_').waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('The test event is being sent').waitFor();
    await inspectPage(page, 'settings-webhooks');
    const size = page.viewportSize() ?? { width: 1_440, height: 900 };
    await page.setViewportSize({ width: 375, height: 812 });
    const cutPixels = (name: { scrollHeight: number; clientHeight: number }): number =>
      name.scrollHeight - name.clientHeight;
    expect(await page.getByText(address, { exact: true }).evaluate(cutPixels)).toBeLessThanOrEqual(1);
    await page.setViewportSize(size);
    await page.getByRole('link', { name: 'Log' }).click();
    await page.getByRole('table', { name: 'Calls' }).waitFor();
    await inspectPage(page, 'settings-webhook-log');
  });

  it('deletes an application after its id was typed', async () => {
    const page = await panel().open('/apps/corner-shop/settings/application');
    await page.getByRole('button', { name: 'Delete it', exact: true }).click();
    const sure = page.getByRole('button', { name: 'Delete for good' });
    expect(await sure.isDisabled()).toBe(true);
    await page.getByLabel(/to confirm/).fill('corner-shop');
    await sure.click();
    await page.waitForURL('**/panel/applications');
    await page.getByRole('link', { name: 'Corner Shop' }).waitFor({ state: 'detached' });
  });
}
