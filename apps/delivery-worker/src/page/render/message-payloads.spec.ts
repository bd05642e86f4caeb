import type { ClaimedPage, PageDevice } from '@postrider/persistence';
import { createRenderer, TemplateFailure } from '@postrider/rendering';
import { MessagePayloads } from './message-payloads';

const KEY = { appId: 'shop', messageId: '0199f000-0000-7000-8000-000000000001', pageId: 'p' };
const DEVICE = { deviceType: 'android' } as PageDevice;

function pageOf(applicationName: string): ClaimedPage {
  const content = {
    content: 'x'.repeat(2_000),
    ...{ useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false },
  };
  const page = {
    vendor: 'fcm',
    kind: 'users',
    content,
    channel: 'public/default',
    applicationName,
    defaultAlertText: 'x',
  };
  return { ...page, acceptedAt: new Date(0), expiresAt: new Date(1) } as unknown as ClaimedPage;
}

describe('the payloads of a page', () => {
  it('are the very same object for all devices that get the same', () => {
    const payloads = new MessagePayloads(createRenderer).payloadsOf(KEY, pageOf('Shop'));
    expect(payloads(DEVICE)).toBe(payloads(DEVICE));
  });

  it('are refused when the application was given a name since with which the vendor would not take them', () => {
    const payloads = new MessagePayloads(createRenderer).payloadsOf(KEY, pageOf('S'.repeat(2_000)));
    for (let time = 0; time < 2; time++) expect(() => payloads(DEVICE)).toThrow(TemplateFailure);
    expect(() => payloads(DEVICE)).toThrow(/fcm takes 4096 bytes/);
  });
});
