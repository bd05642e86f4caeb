import { inspectPage } from './support/inspect-page';
import type { PanelHarness, TestApplication } from './support/panel-harness';
import { register } from './segments.scenario';

/** Promo codes: uploaded with their progress, refused with the line, handed out and found again. */
export function promoScenario(panel: () => PanelHarness): void {
  let application: TestApplication;

  beforeAll(async () => {
    application = await panel().application('promo');
    await register(application, 'ada', 'ios');
  });

  it('are refused with the line that is wrong, and taken when it is right', async () => {
    const page = await panel().open('/apps/promo/promo');
    await page.getByText('No promo codes yet').waitFor();
    await page.getByRole('button', { name: 'Upload codes' }).click();
    await page.getByLabel('Track id of the campaign').fill('spring <b>');
    await inspectPage(page, 'promo-upload');
    const file = page.locator('input[type=file]');
    await file.setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from('A1\nA2,x\nA3\n') });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/[Ll]ine 2/)
      .waitFor();
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await page.getByLabel('Track id of the campaign').fill('spring <b>');
    const codes = Array.from({ length: 5_000 }, (_, n) => `CODE-${n}`).join('\n');
    await file.setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(codes) });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByText('The new codes are in force').waitFor();
    await page.getByText('5,000 codes').waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'spring <b>' }).waitFor();
    await inspectPage(page, 'promo');
  });

  it('are handed out, and the set says to whom', async () => {
    await application.server.call('POST', '/api/push/toUsers', {
      user: 'ada',
      content: 'Your code: {{ promoCode }}',
      useAsAlert: true,
      trackId: 'spring <b>',
    });
    const page = await panel().open('/apps/promo/promo');
    await page.getByRole('link', { name: 'spring <b>' }).click();
    await page.getByText('4,999').first().waitFor();
    await page.getByRole('link', { name: 'ada' }).waitFor();
    await page.getByLabel('Warn at this number of remaining codes').fill('6000');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The warning is saved').waitFor();
    await inspectPage(page, 'promo-set');
  });

  it('are counted where a message names one', async () => {
    const page = await panel().open('/apps/promo/compose');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('{{ promoCode }}');
    await page.getByText('There are no promo codes for this message').waitFor();
    await page.getByRole('button', { name: 'Use those of spring <b> (4,999)' }).click();
    await page.getByText('4,999 promo codes are left').waitFor();
    await page.getByRole('button', { name: 'More options' }).click();
    expect(await page.getByLabel('Track id').inputValue()).toBe('spring <b>');
  });
}
