import { until } from '@postrider/testing';
import { untilDone } from '../support/message-status';
import { seedReachable } from '../support/campaign';
import { Simulator } from '@postrider/tools/start/simulator';
import { cutTablesOf, inspectPage } from './support/inspect-page';
import type { PanelHarness, TestApplication } from './support/panel-harness';

const HOSTILE = {
  script: '<script>document.title = "taken"; alert(1)</script>',
  image: '<img src=x onerror="alert(2)">',
  bidi: 'safe \u202Egnp.exe\u2066 \u200F end',
  link: 'javascript&colon;alert(3)',
};

/** Messages and campaigns: lists, one of them, one device of it, cancelling, and what a hostile sender sends. */
export function messagesScenario(panel: () => PanelHarness): void {
  let shop: TestApplication;
  const send = async (path: string, body: object): Promise<string> => {
    const { headers } = await shop.server.call('POST', `/api/push/${path}`, body);
    return headers.get('x-message-id') ?? '';
  };

  beforeAll(async () => {
    shop = await panel().application('reading');
    for (const [userId, deviceToken] of [
      ['ada', 'reading-ada'],
      ['omid', 'reading-omid'],
    ]) {
      await shop.client.call('POST', '/api/installations', { userId, deviceType: 'android', deviceToken });
    }
  });

  it('are found by track id and by user', async () => {
    await send('toUsers', { user: 'ada', content: 'To Ada', useAsAlert: true, trackId: 'parcel-1' });
    await send('toUsers', { user: 'omid', content: 'To Omid', useAsAlert: true });
    const page = await panel().open(`/apps/${shop.appId}/messages`);
    const table = page.getByRole('table', { name: 'Messages' });
    await table.getByText('To Omid').waitFor();
    await inspectPage(page, 'messages');
    await page.getByRole('textbox', { name: 'User', exact: true }).fill('ada');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/messages?userId=ada');
    await table.getByText('To Ada').waitFor();
    expect(await table.getByText('To Omid').count()).toBe(0);
    await page.goto(`/panel/apps/${shop.appId}/messages?trackId=nothing`);
    await page.getByRole('heading', { name: 'No message matches' }).waitFor();
  });

  it('show what became of them, down to one device and why it got nothing', async () => {
    const id = await send('toUsers', {
      user: 'ada',
      content: 'Your parcel comes today',
      notification: { title: 'Parcel', body: 'Between 14 and 16', actions: [{ id: 'map', title: 'Follow it' }] },
    });
    await untilDone(shop.server, 'messages', id);
    const late = { userId: 'ada', deviceType: 'ios', deviceToken: 'cd'.repeat(32) };
    await shop.client.call('POST', '/api/installations', late);
    const page = await panel().open(`/apps/${shop.appId}/messages/${id}`);
    await page.getByRole('heading', { name: 'Parcel', level: 1 }).waitFor();
    await page.getByRole('group', { name: 'Preview on Android' }).getByText('Between 14 and 16').waitFor();
    await page.getByText('iPhone').click();
    await page.getByRole('group', { name: 'Preview on iPhone' }).getByText('Follow it').waitFor();
    await inspectPage(page, 'message');
    // The table of vendors has too many columns for that: a shadow shows where it goes on.
    expect(await cutTablesOf(page)).toEqual(['Totals by vendor']);
    await page.getByLabel('Find a user').fill('ada');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('The device was registered after the message was accepted').waitFor();
    await page.getByRole('link', { name: /Android/ }).click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.getByText('Sent over Firebase (FCM)').waitFor();
    await inspectPage(page, 'device');
  });

  it('are in the inbox of the simulator, which fits into the window of a phone', async () => {
    const userId = 'margarethe.von-hohenstein.1206';
    const deviceToken = 'c7QR17ydXQpu4Zl0wEkT8nAmVbyJdF2a';
    const { gatewayUrl, simulatorUrl } = panel().postrider.system;
    const { body } = await shop.client.call<{ id: string }>('POST', '/api/installations', {
      userId,
      deviceType: 'android',
      deviceToken,
    });
    const phones = [{ token: deviceToken, installationId: body.id, userId }];
    const setup = { gateway: gatewayUrl, accessToken: 'unused', phones, react: false };
    expect((await fetch(`${simulatorUrl}/phones`, { method: 'PUT', body: JSON.stringify(setup) })).status).toBe(200);
    await send('toUsers', { user: userId, content: 'At four', useAsAlert: true });
    const page = await panel().openSignedOut();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(simulatorUrl);
    await page.getByText(userId).first().waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
  });

  it('show every link that was chosen, beyond those that stand beside the message', async () => {
    const id = await send('toUsers', { user: 'ada', content: 'Sixty offers' });
    await untilDone(shop.server, 'messages', id);
    const phone = { userId: 'ada', deviceType: 'android', deviceToken: 'reading-ada' };
    const { body } = await shop.client.call<{ id: string }>('POST', '/api/installations', phone);
    const link = (n: number): string => `https://shop.example/offers/${String(n).padStart(2, '0')}`;
    const eventData = Array.from({ length: 60 }, (_, n) => ({
      type: 3,
      msgId: id,
      link: link(n),
      actionTs: Date.now(),
    }));
    await shop.server.call('POST', '/api/installations/events', { userId: 'ada', installationId: body.id, eventData });
    await until(async () => {
      const stats = await shop.server.call<{ total: number }>('GET', `/api/push/messages/${id}/stats/links`);
      return stats.body.total === 60;
    });
    const page = await panel().open(`/apps/${shop.appId}/messages/${id}`);
    await page.getByText('and 50 more').waitFor();
    await page.getByRole('link', { name: 'See all links' }).click();
    await page.waitForURL(`**/messages/${id}/stats/links`);
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    const table = page.getByRole('table', { name: 'Links' });
    await table.getByText('https://shop.example/offers/').first().waitFor();
    // Only visible rows exist: the rows that are seen while scrolling are all of them.
    const seen = new Set<string>();
    await until(async () => {
      for (const text of await table.getByText('https://shop.example/offers/').allTextContents()) seen.add(text);
      await page.evaluate(`window.scrollTo(0, (window.scrollY + 300) % document.body.scrollHeight)`);
      return seen.size === 60;
    });
    await page.getByRole('link', { name: 'The message' }).click();
    await page.getByText('and 50 more').waitFor();
    await page.goto(`/panel/apps/${shop.appId}/messages/${id}/stats/actions`);
    await page.getByRole('heading', { name: 'No choices yet' }).waitFor();
    await page.goto(`/panel/apps/${shop.appId}/messages/${id}/stats/links`);
    await table.getByText('https://shop.example/offers/').first().waitFor();
    await inspectPage(page, 'message-links');
  });

  it('of a campaign add up, run live, and stop when they are cancelled', async () => {
    const { appId, server } = await panel().application('stopping');
    await seedReachable(panel().postrider.database.url, appId, 20_000);
    const simulator = new Simulator(panel().postrider.system.simulatorUrl);
    await simulator.setFaults({ fault: { kind: 'slow', ms: 5_000 } });
    try {
      const { headers } = await server.call('POST', '/api/push/byQuery', {
        target: { deviceType: 'android' },
        content: 'Wrong news',
        useAsAlert: true,
        trackId: 'oops',
      });
      const id = headers.get('x-message-id') ?? '';
      const page = await panel().open(`/apps/${appId}/campaigns?trackId=oops`);
      await page
        .getByRole('table', { name: 'Campaigns' })
        .getByRole('link', { name: /Wrong news/ })
        .click();
      await page.getByRole('progressbar', { name: 'Devices with an outcome' }).waitFor();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByRole('button', { name: 'Stop sending' }).click();
      await page.getByText('cancelled', { exact: true }).first().waitFor();
      await inspectPage(page, 'campaign-cancelled');
      const { totals, recipients, status } = (
        await server.call<{ status: string; recipients: number; totals: Record<string, number> }>(
          'GET',
          `/api/push/campaigns/${id}`,
        )
      ).body;
      expect(status).toBe('cancelled');
      expect(totals.cancelled).toBeGreaterThan(0);
      expect(Object.values(totals).reduce((sum, count) => sum + count, 0)).toBe(recipients);
    } finally {
      await simulator.reset();
    }
  });

  it('show what a hostile sender sent as the text that it is', async () => {
    const id = await send('toUsers', {
      user: 'ada',
      content: `${HOSTILE.script} ${'long '.repeat(15_000)}`,
      trackId: `${HOSTILE.image}${HOSTILE.bidi}`,
      notification: {
        title: `${HOSTILE.script}${HOSTILE.bidi}`,
        body: HOSTILE.image,
        mediaUrl: 'https://evil.example/x.png',
      },
      data: { html: HOSTILE.script, deep: HOSTILE.link },
    }).catch((error: unknown) => String(error));
    const sent = id.includes('413') || id.includes('400') ? await send('toUsers', hostileSmall()) : id;
    const page = await panel().open(`/apps/${shop.appId}/messages/${sent}`);
    await page.getByRole('heading', { level: 1 }).getByText('<script>', { exact: false }).waitFor();
    await page.getByRole('heading', { level: 1 }).getByText('safe [U+202E]gnp.exe', { exact: false }).waitFor();
    await page.getByText('Content', { exact: true }).click();
    await page.getByLabel('the message').getByText('safe \\u202egnp.exe\\u2066', { exact: false }).waitFor();
    await inspectPage(page, 'message-hostile');
    expect(await page.title()).not.toBe('taken');
    expect(await page.evaluate('document.querySelectorAll("main img, main script, main iframe").length')).toBe(0);
    await page.goto(`/panel/apps/${shop.appId}/messages`);
    await page.getByRole('table', { name: 'Messages' }).getByText('<script>', { exact: false }).first().waitFor();
    await inspectPage(page, 'messages-hostile');
  });

  it('of an application without any say what to do next', async () => {
    const { appId } = await panel().application('quiet');
    const page = await panel().open(`/apps/${appId}/campaigns`);
    await page.getByRole('heading', { name: 'No campaign yet' }).waitFor();
    await inspectPage(page, 'campaigns-empty');
    await page.goto(`/panel/apps/${appId}/messages/00000000-0000-7000-8000-000000000000`);
    await page.getByRole('heading', { name: 'There is no such message' }).waitFor();
  });
}

function hostileSmall(): object {
  return {
    user: 'ada',
    content: `${HOSTILE.script} ${'long '.repeat(200)}`,
    trackId: HOSTILE.bidi,
    notification: { title: `${HOSTILE.script}${HOSTILE.bidi}`, body: HOSTILE.image },
    data: { html: HOSTILE.script },
  };
}
