import { screen, within } from '@testing-library/react';
import type { DevicePreviewResponse, DraftResponse } from '@postrider/server/document';
import { newMessage } from '../../../model/message-draft';
import { type Asked, FakeGateway } from '../../../testing/fake-gateway';
import { show, type Shown } from '../../../testing/show';
import { ComposePage } from '../compose-page';

export const AT = '2026-11-23T10:00:00.000Z';
export const DRAFTS = '/api/drafts';
export const DRAFT = '/api/drafts/{id}';
export const SEND = '/api/push/toUsers';

export const isDryRun = ({ query }: Asked): boolean => query.dryRun === 'true';

/** A draft as the gateway answers it. */
export const saved = (revision: number, message: DraftResponse['message'] = {}): DraftResponse => ({
  id: 'd-1',
  name: 'x',
  revision,
  createdAt: AT,
  updatedAt: AT,
  updatedBy: 'Grace',
  message,
});

/** The form of a message that has this text alone. */
export const form = (content: string): DraftResponse['message'] =>
  JSON.parse(JSON.stringify({ ...newMessage(''), content })) as DraftResponse['message'];

/** What a device of a preview shows. */
export const device = (deviceType: string, content: string): DevicePreviewResponse => ({
  installationId: deviceType,
  deviceType,
  vendor: 'fcm',
  content,
  body: content,
  title: 'Shop',
  language: null,
  warnings: [],
});

/** The line over a rendering of the review: a platform, and whose device it is. */
export const findRendering = (dialog: HTMLElement, name: string): Promise<HTMLElement> =>
  within(dialog).findByText((_, element) => element?.tagName === 'DIV' && element.textContent === name);

/** Opens the review of a message to three devices. */
export async function review(user: Shown['user']): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name: /Review and send to 3/ }));
  return screen.findByRole('dialog', { name: 'Review before sending' });
}

/** The compose page with a gateway that saves every draft, and sends to three devices of ada. */
export class ComposedPage {
  readonly gateway = new FakeGateway();
  /** How many devices a send, or a dry run, goes to. */
  devices = 3;

  constructor() {
    sessionStorage.clear();
    const { gateway } = this;
    gateway.answer('GET', '/api/templates', { templates: [], nextCursor: null });
    gateway.answer('GET', '/api/promo/sets', { sets: [], nextCursor: null });
    gateway.answer('POST', DRAFTS, ({ body }) => saved(1, (body as DraftResponse).message));
    gateway.answer('PUT', DRAFT, ({ body }) => saved((body as DraftResponse).revision + 1));
    gateway.answer('POST', '/api/push/preview', {
      users: [{ userId: 'ada', devices: [device('android', 'Hello Ada'), device('ios', 'Hello Ada')] }],
    });
    gateway.answer('POST', SEND, () => ({
      count: this.devices,
      byVendor: { fcm: this.devices },
      sample: ['android', 'ios'].map((installationId) => ({ installationId, userId: 'ada', vendor: 'fcm' as const })),
    }));
  }

  /** Returns the sends that were asked for, without dry runs. */
  sends(): Asked[] {
    return this.gateway.askedFor('POST', SEND).filter((asked) => !isDryRun(asked));
  }

  /** Opens the page and writes a message to everyone. */
  async write(at = '/compose'): Promise<Shown['user']> {
    const { user } = show(<ComposePage />, { gateway: this.gateway, at });
    await user.click(await screen.findByText('Everyone'));
    await user.click(screen.getByRole('textbox', { name: /^Text/ }));
    // The whole page is made anew at every key.
    await user.paste('Hello');
    return user;
  }
}
