import type { PanelHarness, TestApplication } from './support/panel-harness';

/** Characters that an address or a query string would read differently. */
const ODD = 'sale 50%25 off+%2B%20&more=#1/‮دیده';

/** Searching lists by what people typed. */
export function searchScenario(panel: () => PanelHarness): void {
  let application: TestApplication;

  beforeAll(async () => {
    application = await panel().application('searching');
    for (const trackId of [ODD, 'sale 50% off+ ', 'other']) {
      const named = { name: `Named ${trackId}`, trackId };
      await application.server.call('POST', '/api/push/campaigns', named);
    }
  });

  it('looks for exactly what was typed, and again after the page was loaded anew', async () => {
    const page = await panel().open('/apps/searching/campaigns');
    await page.getByText('Named other').waitFor();
    await page.getByRole('textbox', { name: 'Track id' }).fill(ODD);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('Named other').waitFor({ state: 'detached' });
    await page.getByText('Named sale 50%25').waitFor();
    await page.reload();
    await page.getByText('Named sale 50%25').waitFor();
    expect(await page.getByRole('textbox', { name: 'Track id' }).inputValue()).toBe(ODD);
    expect(new URL(page.url()).searchParams.get('trackId')).toBe(ODD);
  });
}
