import { inspectPage } from './support/inspect-page';
import type { PanelHarness, TestApplication } from './support/panel-harness';
import type { Locator, Page } from 'playwright-core';
import { choose, register } from './segments.scenario';

const HOSTILE = '<script>alert(1)</script> {"a":1} \u202E';

interface SavedDraft {
  id: string;
  name: string;
  revision: number;
}

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

  const drafts = async (): Promise<SavedDraft[]> =>
    (await application.server.call<{ drafts: SavedDraft[] }>('GET', '/api/drafts')).body.drafts;

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
    await page.getByRole('combobox', { name: 'Rule 1: value' }).fill('ios');
    await page.getByRole('textbox', { name: 'Title' }).fill('Tea');
    await page
      .getByRole('textbox', { name: 'Text', exact: true })
      .fill('Dear {{ user.firstName | default: "friend" }}');
    await page.getByRole('textbox', { name: 'Link', exact: true }).fill('shop://tea');
    await page.getByRole('button', { name: 'Add a button' }).click();
    const button = page.getByRole('group', { name: 'Button 1' });
    await button.getByLabel('Text').fill('Yes');
    await button.getByLabel('Link').fill('shop://yes');
    await page.getByLabel('Preview for a user').fill('ada');
    await page.getByRole('button', { name: 'Show' }).click();
    await page
      .getByRole('group', { name: /Preview/ })
      .getByText(HOSTILE.slice(0, 20))
      .waitFor();
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByLabel('Track id').fill('tea-1');
    await page.getByLabel('Data').fill('{"cup":1}');
    await page.getByRole('button', { name: 'Send to 2' }).waitFor();
    await inspectPage(page, 'compose');
    await page.reload();
    const dialog = await review(page, 2);
    await dialog.getByText(HOSTILE.slice(0, 20)).first().waitFor();
    await inspectPage(page, 'compose-review');
    await dialog.getByRole('button', { name: 'Send to 2' }).dblclick();
    await page.waitForURL(/\/campaigns\/[0-9a-f-]{36}$/);
    await page.getByRole('link', { name: 'Compose' }).press('Enter');
    await page.waitForURL(/\/compose$/);
    // A person who works with the keyboard continues in the page that has opened, not in the navigation.
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
    const dialog = await review(page, 3);
    await register(application, 'newcomer', 'ios');
    await dialog.getByRole('button', { name: 'Send to 3' }).click();
    await dialog.getByText('It was 3 at the last count, and is 4 now.').waitFor();
    const before = (await messages('campaigns')).length;
    expect(await messages()).toHaveLength(0);
    await dialog.getByRole('button', { name: 'Send to 4' }).click();
    await page.waitForURL(/\/campaigns\/[0-9a-f-]{36}$/);
    expect(await messages('campaigns')).toHaveLength(before + 1);
    expect((await messages('campaigns'))[0]).toMatchObject({ count: 4 });
    expect((await drafts()).map(({ name }) => name)).not.toContain('Everybody');
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
    await page.getByText('The devices could not be counted').waitFor();
    expect(await page.getByText('The message was not sent').count()).toBe(0);
    await page.unrouteAll();
  });

  it('goes to the users of a file, and says which lines are wrong', async () => {
    const page = await panel().open('/apps/compose/compose');
    await page.getByText('File of ids', { exact: true }).click();
    const file = page.locator('input[type=file]');
    await file.setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from('ada\nomid,gold\n*\n') });
    await page.getByText('Line 2 has more than one column').waitFor();
    await page.getByText('Line 3 contains *').waitFor();
    await inspectPage(page, 'compose-file');
    await file.setInputFiles({
      name: 'ok.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('user_id\r\nada\r\nmei\r\nada\r\n'),
    });
    await page.getByText('2 users; 1 repeated line left out').waitFor();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('To the file');
    await (await review(page, 2)).getByRole('button', { name: 'Send to 2' }).click();
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
    // The button is disabled until its devices are counted; it must not change colour behind the dialog that is
    // inspected.
    await page.getByRole('button', { name: 'Send to 1', disabled: false }).waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByLabel('User ids of testers').fill('omid');
    await page.getByRole('button', { name: 'Send the test' }).click();
    await page.getByText('Accepted for 1 device.').waitFor();
    await inspectPage(page, 'compose-test');
    expect((await messages())[0]).toMatchObject({ count: 1, content: { content: HOSTILE } });
  });

  it('is found again among the drafts, and two people who write it do not overwrite each other', async () => {
    const page = await panel().open('/apps/compose/compose?new=1');
    await page.getByText('Everyone', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Begun yesterday');
    await page.getByText(/^Saved \d+ s ago$/).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Drafts' }).click();
    await page.getByRole('button', { name: 'Duplicate: Begun yesterday' }).waitFor();
    await inspectPage(page, 'drafts');
    await page
      .getByRole('table', { name: 'Drafts' })
      .getByRole('link', { name: /Begun yesterday/ })
      .click();
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    await text.waitFor();
    expect(await text.inputValue()).toBe('Begun yesterday');
    const draft = (await drafts()).find(({ name }) => name === 'Begun yesterday');
    const theirs = { name: 'Begun yesterday', message: { content: 'Theirs' }, revision: draft?.revision };
    await application.server.call('PUT', `/api/drafts/${draft?.id}`, theirs);
    await text.fill('Mine');
    await page.getByText('Somebody else has saved this draft').waitFor();
    await inspectPage(page, 'draft-conflict');
    await page.getByRole('button', { name: 'Keep mine as a new draft' }).click();
    await page.getByText(/^Saved \d+ s ago$/).waitFor();
    expect((await drafts()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Begun yesterday', 'Mine (my version)']),
    );
  });

  it('begins with a template whose variables have values', async () => {
    const page = await panel().open('/apps/compose/templates/new');
    await page.getByLabel('Name').first().fill('Order ready');
    await page.getByRole('textbox', { name: 'Text' }).fill('Order {{ variables.order }} is ready');
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await page.getByRole('group', { name: 'Variable 1' }).getByLabel('Name').fill('order');
    await page.getByRole('button', { name: 'Create template' }).click();
    await page.waitForURL(/\/templates\/[0-9a-f-]{36}$/);
    await page.getByText('Version 1, by').waitFor();
    await inspectPage(page, 'template');
    await page.getByRole('link', { name: 'Write a message with it' }).click();
    await page.getByText('Everyone', { exact: true }).click();
    await page.getByRole('textbox', { name: 'order' }).fill('8841');
    const dialog = await review(page, 4);
    await dialog.getByText('Order 8841 is ready').first().waitFor();
    await dialog.getByRole('button', { name: 'Send to 4' }).click();
    await page.waitForURL(/\/campaigns\/[0-9a-f-]{36}$/);
    expect((await messages('campaigns'))[0]).toMatchObject({ content: { variables: { order: '8841' } } });
  });

  it('tests variants on an audience, is copied with them, and looks right while they are written and reviewed', async () => {
    const tested = await panel().application('tested');
    // So many that some of them wait for the winner, wherever the test's share falls.
    for (let n = 0; n < 24; n++) await register(tested, `user-${n}`, 'ios');
    const page = await panel().open('/apps/tested/compose');
    await page.getByText('Everyone', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('The sale begins');
    const test = page.getByRole('region', { name: 'A/B test' });
    await test.getByRole('button', { name: 'Add variants' }).press('Enter');
    await test.getByRole('textbox', { name: 'Name' }).fill('urgent');
    await test.getByRole('textbox', { name: 'Title' }).fill('Hurry');
    await test.getByRole('textbox', { name: 'Text', exact: true }).fill('Today only, {{ user.firstName');
    await test.getByRole('textbox', { name: 'Text', exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    await test.getByRole('tab', { name: 'urgent (unfinished)' }).waitFor();
    await test.getByRole('textbox', { name: 'Text', exact: true }).fill('Today only');
    await test.getByRole('button', { name: 'Add a language' }).click();
    await test.getByRole('textbox', { name: 'Language' }).fill('fa');
    await test.getByRole('textbox', { name: 'Text', exact: true }).fill('فقط امروز');
    await test.getByText('By hand', { exact: true }).click();
    await test.getByLabel('Users who get variants first, in percent').fill('50');
    // With the keyboard alone: the arrow leads to the other variant.
    await test.getByRole('tab', { name: 'urgent' }).press('ArrowLeft');
    expect(await test.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('A');
    await page.getByRole('button', { name: 'Review and send to 24', disabled: false }).waitFor();
    await inspectPage(page, 'compose-variants');
    await test.getByRole('tab', { name: 'urgent' }).click();
    await page
      .getByRole('group', { name: /Preview/ })
      .getByText('Today only')
      .waitFor();
    await inspectPage(page, 'compose-variant');
    const dialog = await review(page, 24);
    const urgent = dialog.getByRole('region', { name: 'Variant urgent' });
    await urgent.getByRole('region', { name: 'In fa' }).getByText('فقط امروز').first().waitFor();
    await dialog.getByRole('region', { name: 'Variant A' }).getByText('The sale begins').first().waitFor();
    await dialog.getByText('About 12 devices (50 %) wait.').waitFor();
    await inspectPage(page, 'compose-variants-review');
    await dialog.getByRole('button', { name: 'Send to 24' }).click();
    await page.waitForURL(/\/campaigns\/[0-9a-f-]{36}$/);
    const sent = {
      variants: [
        { name: 'A', weight: 1 },
        {
          ...{ name: 'urgent', weight: 1, content: 'Today only', notification: { title: 'Hurry' } },
          localized: { fa: { content: 'فقط امروز' } },
        },
      ],
      winner: { metric: 'opened', after: 14_400, share: 50 },
    };
    const { body } = await tested.server.call<{ campaigns: unknown[] }>('GET', '/api/push/campaigns');
    expect(body.campaigns).toMatchObject([{ content: sent }]);
    await page.getByRole('button', { name: 'Send this one to the rest: urgent' }).waitFor();
    await page.getByRole('link', { name: 'Send again' }).click();
    await test.getByRole('tab', { name: 'urgent' }).click();
    expect(await test.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Hurry');
    expect(await test.getByLabel('Users who get variants first, in percent').inputValue()).toBe('50');
  });

  it('that is scheduled shows when it leaves, and is moved until then', async () => {
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const body = { user: 'ada', content: 'Tomorrow', sendAt };
    const { headers } = await application.server.call('POST', '/api/push/toUsers', body);
    const page = await panel().open(`/apps/compose/messages/${headers.get('x-message-id')}`);
    await page.getByRole('button', { name: 'Move or edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move or edit' });
    await dialog.getByLabel('Text').fill('The day after');
    await dialog.getByLabel('Day and time').fill(new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16));
    await inspectPage(page, 'message-move');
    await dialog.getByRole('button', { name: 'Save the change' }).click();
    await page.getByText('The message is changed.').waitFor();
    expect((await messages())[0]).toMatchObject({ content: { content: 'The day after' } });
  });
}

/** Opens the review between writing and sending. */
async function review(page: Page, count: number): Promise<Locator> {
  await page.getByRole('button', { name: `Review and send to ${count}`, disabled: false }).click();
  return page.getByRole('dialog', { name: 'Review before sending' });
}
