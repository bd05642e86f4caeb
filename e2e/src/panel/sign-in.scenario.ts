import type { Locator, Page } from 'playwright-core';
import { inspectPage } from './support/inspect-page';
import { type PanelHarness, signIn } from './support/panel-harness';

/** Signing in and out, and what a token's scopes show. */
export function signInScenario(panel: () => PanelHarness): void {
  it('refuses a wrong token, takes the right one, and ends', async () => {
    const page = await panel().openSignedOut();
    await signIn(page, panel().adminToken);
    // Room for a scroll bar, so that nothing moves to the side when a page gets one; none beside the picture of the sign-in page.
    const gutter = 'getComputedStyle(document.documentElement).scrollbarGutter';
    expect(await page.evaluate(gutter)).toBe('stable');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(gutter)).toBe('auto');
    await inspectPage(page, 'sign-in');
    await page.getByLabel('Token', { exact: true }).fill('not-a-token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This token is not valid').waitFor();
    await signIn(page, panel().adminToken);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ name: 'postrider_panel', httpOnly: true, sameSite: 'Strict', path: '/' }]);
  });

  it('can be ended without scrolling the navigation, in a low window too', async () => {
    await panel().application('way-out');
    // Its name takes two lines, and is read after the navigation is drawn.
    const name = 'The application from which there is a way out';
    await panel().postrider.admin.call('PATCH', '/api/admin/apps/way-out', { name });
    const page = await panel().open('/apps/way-out/overview');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    for (const height of [900, 768, 640]) {
      await page.setViewportSize({ width: 1_280, height });
      const { bottom } = await placeOf(page.getByRole('button', { name: 'Sign out' }));
      expect([height, bottom <= height]).toEqual([height, true]);
    }
    // In a window of a laptop all its pages are in sight.
    await page.setViewportSize({ width: 1_280, height: 800 });
    const last = await placeOf(page.getByRole('navigation').getByRole('link', { name: 'Settings' }));
    expect(last.bottom).toBeLessThan((await placeOf(page.getByRole('link', { name: 'Applications' }))).top);
    await page.setViewportSize({ width: 1_280, height: 640 });
    // Where its pages have to be scrolled, the present one is in sight.
    await page.goto('/panel/apps/way-out/settings/tokens');
    await page.getByRole('heading', { name: 'Access tokens' }).waitFor();
    await page.getByRole('button', { name }).waitFor();
    const navigation = page.getByRole('navigation');
    const present = await placeOf(navigation.getByRole('link', { name: 'Settings' }));
    expect(present.bottom).toBeLessThan((await placeOf(page.getByRole('link', { name: 'Applications' }))).top);
    // In a lower one the pages would have no room beside it: then all of it scrolls.
    await page.setViewportSize({ width: 640, height: 360 });
    await page.getByRole('button', { name: 'Open the menu' }).click();
    for (const end of [navigation.getByRole('link', { name: 'Overview' }), page.getByText('Dark')]) {
      await end.scrollIntoViewIfNeeded();
      const { top, bottom } = await placeOf(end);
      expect([top >= 0, bottom <= 360]).toEqual([true, true]);
    }
  });

  it('keeps what has the focus in sight in a small window, as with a zoom of 200 %', async () => {
    const { appId } = await panel().application('zoomed');
    const page = await panel().open(`/apps/${appId}/settings/tokens`);
    await page.setViewportSize({ width: 640, height: 400 });
    const create = page.getByRole('button', { name: 'New token' });
    await create.waitFor();
    // The closed menu is passed over, and nothing is below the bar on the way up.
    expect(await walk(page, 'Tab', 8)).toEqual([]);
    await page.evaluate('document.activeElement.blur(), window.scrollTo(0, document.body.scrollHeight)');
    expect(await walk(page, 'Shift+Tab', 8)).toEqual([]);
    // Round the dialog, from its last button to its first field, which is below its title.
    await create.click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    expect(await walk(page, 'Tab', 12)).toEqual([]);
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

/** What has the focus, if its middle is not in sight: it is beside the window, or something covers it. */
const COVERED = `(() => {
  const focused = document.activeElement;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const shown = document.elementFromPoint(left + width / 2, top + height / 2);
  const isInSight = shown !== null && (focused.contains(shown) || shown.contains(focused));
  return isInSight ? null : focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent ?? focused.textContent;
})()`;

/** Presses a key several times. @returns what had the focus meanwhile and was not in sight */
async function walk(page: Page, key: string, times: number): Promise<string[]> {
  const covered: string[] = [];
  for (let time = 0; time < times; time += 1) {
    await page.keyboard.press(key);
    const name = await page.evaluate<string | null>(COVERED);
    if (name !== null) covered.push(name);
  }
  return covered;
}

/** Where an element begins and ends in the window, from top to bottom. */
async function placeOf(element: Locator): Promise<{ top: number; bottom: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error('The element is not shown');
  return { top: box.y, bottom: box.y + box.height };
}
