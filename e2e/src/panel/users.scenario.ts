import { inspectPage } from './support/inspect-page';
import type { PanelHarness, TestApplication } from './support/panel-harness';
import { register } from './segments.scenario';

const ODD = 'a/b c%20"<b>\u202E';

/** Users: found, looked at, tagged, erased. */
export function usersScenario(panel: () => PanelHarness): void {
  let application: TestApplication;

  beforeAll(async () => {
    application = await panel().application('users');
    await register(application, 'ada', 'android');
    await register(application, ODD, 'ios');
    for (let n = 0; n < 60; n += 1) await register(application, `user-${n}`, 'ios');
    await application.server.call('POST', '/api/installations/attributes', {
      userId: 'ada',
      attributes: { city: 'London', bio: '<script>alert(1)</script>'.repeat(100) },
    });
    await application.server.call('POST', '/api/push/toUsers', { user: 'ada', content: 'Hello <b>Ada</b>' });
  });

  it('are found by how their ids begin, in a list that is as long as it has to be', async () => {
    const page = await panel().open('/apps/users/users');
    await page.getByRole('link', { name: 'ada' }).waitFor();
    await inspectPage(page, 'users');
    await page.getByLabel('User id').fill('user-59');
    await page.getByRole('link', { name: 'user-59' }).waitFor();
    await page.getByLabel('User id').fill('nobody');
    await page.getByText('No user id begins with this text').waitFor();
  });

  it('show their devices, tags and what was sent, and take new tags', async () => {
    const page = await panel().open('/apps/users/users/ada');
    await page.getByText('Messages reach it by FCM.').waitFor();
    await page.getByText('Hello <b>Ada</b>').first().waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('plan');
    await page.getByLabel('Value', { exact: true }).fill('<i>gold</i>');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('<i>gold</i>').waitFor();
    await inspectPage(page, 'user');
    await page.getByRole('button', { name: 'Remove the tag plan' }).click();
    await page.getByText('No tags yet.').waitFor();
  });

  it('are erased when their id was typed, whatever stands in it', async () => {
    const page = await panel().open('/apps/users/users');
    await page.getByLabel('User id').fill(ODD);
    await page.getByRole('button', { name: 'Open this user' }).click();
    await page.getByRole('button', { name: 'Erase' }).click();
    const confirm = page.getByRole('button', { name: 'Erase for good' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('textbox').fill(ODD);
    await inspectPage(page, 'user-erase');
    await confirm.click();
    await page.getByText('Erased: 1 device').waitFor();
    expect(await application.server.find(`/api/users/${encodeURIComponent(ODD)}`)).toBeNull();
    await page.goto('/panel/apps/users/users/nobody');
    await page.getByText('There is no such user').waitFor();
  });
}
