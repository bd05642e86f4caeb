import { inspectPage } from './support/inspect-page';
import type { PanelHarness, TestApplication } from './support/panel-harness';
import { choose, register } from './segments.scenario';

const HOSTILE = '<script>alert(1)</script> {"a":1} \u202E';

/** A message: written, previewed, counted, sent once. */
export function composeScenario(panel: () => PanelHarness): void {
  let application: TestApplication;
  const messages = async (kind = 'messages'): Promise<{ id: string; content: { content: string } }[]> =>
    (
      await application.server.call<Record<string, { id: string; content: { content: string } }[]>>(
        'GET',
        `/api/push/${kind}`,
      )
    ).body[kind] ?? [];

  beforeAll(async () => {
    application = await panel().application('compose');
    for (const userId of ['ada', 'omid']) await register(application, userId, 'ios');
    await register(application, 'mei', 'android');
    await application.server.call('POST', '/api/installations/attributes', {
      userId: 'ada',
      attributes: { firstName: HOSTILE },
    });
  });

  it('goes to a segment with everything that was filled in, and its page opens', async () => {
    const page = await panel().open('/apps/compose/compose');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('2 fields need your attention').waitFor();
    await inspectPage(page, 'compose-unfinished');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await choose(page, 'Rule 1: field', 'Device type');
    await choose(page, 'Rule 1: Device type …', 'is');
    await page.getByRole('textbox', { name: 'Rule 1: value' }).fill('ios');
    await page.getByRole('textbox', { name: 'Title' }).fill('Tea');
    await page
      .getByRole('textbox', { name: 'Text', exact: true })
      .fill('Dear {{ user.firstName | default: "friend" }}');
    await page.getByRole('textbox', { name: 'Link', exact: true }).fill('shop://tea');
    await page.getByRole('button', { name: 'Add a button' }).click();
    const button = page.getByRole('group', { name: 'Button 1' });
    await button.getByLabel('Text').fill('Yes');
    await button.getByLabel('Link').fill('shop://yes');
    await page.getByLabel('As this user gets it').fill('ada');
    await page.getByRole('button', { name: 'Show' }).click();
    await page
      .getByRole('img', { name: /Preview/ })
      .getByText(HOSTILE.slice(0, 20))
      .waitFor();
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByLabel('Track id').fill('tea-1');
    await page.getByLabel('Data').fill('{"cup":1}');
    await page.getByRole('button', { name: 'Send to 2' }).waitFor();
    await inspectPage(page, 'compose');
    await page.reload();
    await page.getByRole('button', { name: 'Send to 2' }).dblclick();
    await page.waitForURL(/\/campaigns\/[0-9a-f-]{36}$/);
    await page.getByRole('link', { name: 'Compose' }).press('Enter');
    await page.waitForURL(/\/compose$/);
    // Somebody who works with the keyboard goes on in the page that has opened, not in the navigation.
    await page.waitForFunction('document.activeElement?.id === "content"');
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('');
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('');
    const sent = await messages('campaigns');
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      trackId: 'tea-1',
      count: 2,
      content: {
        content: 'Dear {{ user.firstName | default: "friend" }}',
        useAsAlert: true,
        data: { cup: 1 },
        notification: {
          title: 'Tea',
          clickUrl: 'shop://tea',
          actions: [{ id: 'Yes', title: 'Yes', url: 'shop://yes' }],
        },
      },
    });
  });

  it('asks again when the number has moved since it was shown', async () => {
    const page = await panel().open('/apps/compose/compose');
    await page.getByText('Everyone', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Everybody');
    await page.getByRole('button', { name: 'Send to 3' }).waitFor();
    await register(application, 'newcomer', 'ios');
    await page.getByRole('button', { name: 'Send to 3' }).click();
    await page.getByText('It was 3 when you looked, and is 4 now.').waitFor();
    expect(await messages()).toHaveLength(0);
    await page.getByRole('button', { name: 'Send to 4' }).click();
    await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/);
    expect(await messages()).toMatchObject([{ count: 4 }]);
  });

  it('says that it could not be counted when the count fails, and not that it was not sent', async () => {
    const page = await panel().open('/apps/compose/compose');
    await page.route(/toUsers\?dryRun=true/, (route) =>
      route.fulfill({
        status: 503,
        json: { error: { name: 'Error', status: 503, message: 'Not now', code: 'UNAVAILABLE' } },
      }),
    );
    await page.getByText('Everyone', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Uncounted');
    await page.getByText('It could not be counted').waitFor();
    expect(await page.getByText('It was not sent').count()).toBe(0);
    await page.unrouteAll();
  });

  it('goes to the users of a file, and says which lines are wrong', async () => {
    const page = await panel().open('/apps/compose/compose');
    await page.getByText('File of ids', { exact: true }).click();
    const file = page.locator('input[type=file]');
    await file.setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from('ada\nomid,gold\n*\n') });
    await page.getByText('Line 2 has more than one column').waitFor();
    await page.getByText('Line 3 holds *').waitFor();
    await inspectPage(page, 'compose-file');
    await file.setInputFiles({
      name: 'ok.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('user_id\r\nada\r\nmei\r\nada\r\n'),
    });
    await page.getByText('2 users; 1 repeated line left out').waitFor();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('To the file');
    await page.getByRole('button', { name: 'Send to 2' }).click();
    await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/);
    expect((await messages())[0]).toMatchObject({ count: 2, content: { content: 'To the file' } });
  });

  it('of a campaign that was planned is sent under its track id', async () => {
    await application.server.call('POST', '/api/push/campaigns', { trackId: 'نوروز 1405/%', name: 'نوروز' });
    const page = await panel().open('/apps/compose/campaigns');
    await page.getByRole('table', { name: 'Campaigns' }).getByRole('link', { name: /نوروز/ }).click();
    await page.getByRole('link', { name: 'Compose it' }).click();
    expect(await page.getByLabel('Track id').inputValue()).toBe('نوروز 1405/%');
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    await text.fill('سلام {{ user.firstName }}');
    expect(await page.evaluate('getComputedStyle(document.activeElement).unicodeBidi')).toBe('plaintext');
    await inspectPage(page, 'compose-persian');
  });

  it('is tested on named users first, and shows what the API refuses at its field', async () => {
    const page = await panel().open('/apps/compose/compose?user=omid');
    await page.getByRole('textbox', { name: 'User ids' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'User ids' }).inputValue()).toBe('omid');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello {{ user.name');
    await page.getByRole('textbox', { name: 'Text', exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill(HOSTILE);
    // Until its devices are counted the button is disabled; it must not change colour behind the dialog that is looked at.
    await page.getByRole('button', { name: 'Send to 1', disabled: false }).waitFor();
    await page.getByRole('button', { name: 'Test it' }).click();
    await page.getByLabel('User ids of testers').fill('omid');
    await page.getByRole('button', { name: 'Send the test' }).click();
    await page.getByText('On its way to 1 device.').waitFor();
    await inspectPage(page, 'compose-test');
    expect((await messages())[0]).toMatchObject({ count: 1, content: { content: HOSTILE } });
  });
}
