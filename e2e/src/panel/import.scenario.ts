import { inspectPage } from './support/inspect-page';
import type { PanelHarness } from './support/panel-harness';

const NAMES = [
  'subscription_identifier',
  'external_user_id',
  'token_registered_at',
  'preferred language of the person',
];

/** The names in the header of the table whose text is not wholly shown, in columns that can be scrolled to. */
const CUT_NAMES = `[...document.querySelectorAll('th bdi')]
  .filter((name) => name.scrollWidth > name.clientWidth + 1 && getComputedStyle(name).overflow === 'hidden'
    || name.getBoundingClientRect().right > name.closest('th').getBoundingClientRect().right)
  .map((name) => name.textContent)`;

/** How the switches stand out: backgrounds are all the same where the system chooses the colours. */
const SWITCHES = `[...document.querySelectorAll('.mantine-Switch-track')].map((track) => {
  const { borderTopStyle: border, outlineStyle: outline } = getComputedStyle(track);
  return { border, outline };
})`;

/** The import of devices: a file is looked at before it is sent. */
export function importScenario(panel: () => PanelHarness): void {
  it('shows the whole name of every column of the file, on a phone as well', async () => {
    await panel().application('import');
    const page = await panel().open('/apps/import/import');
    const line = ['fX2k0a1b2c3d4e5f6a7b8c9d'.repeat(6), 'ada', '2026-05-01T09:00:00Z', 'nl'];
    await page.locator('input[type=file]').setInputFiles({
      name: 'crm.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${NAMES.join(',')}\n${line.join(',')}\n`),
    });
    await page.getByRole('table', { name: 'The first lines' }).waitFor();
    await inspectPage(page, 'import');
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 860 });
      expect(await page.locator('th bdi').allTextContents()).toEqual(NAMES);
      expect([width, await page.evaluate<string[]>(CUT_NAMES)]).toEqual([width, []]);
    }
  });

  it('shows which of its switches are on where the system chooses all colours', async () => {
    await panel().application('high-contrast');
    const page = await panel().open('/apps/high-contrast/import');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByText('The first line names the columns').waitFor();
    const [on, off] = [
      { border: 'solid', outline: 'solid' },
      { border: 'solid', outline: 'none' },
    ];
    expect(await page.evaluate(SWITCHES)).toEqual([on, off]);
  });
}
