import type { PanelHarness } from './support/panel-harness';

const SEARCHED = '**/guide/search.json';

/** Searching the documents that the gateway serves as a site. */
export function guideScenario(panel: () => PanelHarness): void {
  it('says that its search cannot be loaded, and loads it again at the next letter', async () => {
    const page = await panel().openSignedOut();
    await page.goto('/guide/');
    await page.route(SEARCHED, (route) => route.fulfill({ status: 503, json: { error: {} } }));
    const search = page.getByRole('searchbox');
    await search.fill('quiet');
    await page.getByText('The search cannot be loaded now').waitFor();
    await page.unroute(SEARCHED);
    await page.route(SEARCHED, (route) => route.abort());
    await search.fill('quiet h');
    await page.getByText('The search cannot be loaded now').waitFor();
    await page.unroute(SEARCHED);
    await search.fill('quiet hours');
    await page.getByRole('list', { name: 'Found' }).getByRole('link').first().waitFor();
    await search.fill('no such word anywhere');
    await page.getByText('Nothing is found').waitFor();
  });
}
