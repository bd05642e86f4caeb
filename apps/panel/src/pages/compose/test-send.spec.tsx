import { screen, within } from '@testing-library/react';
import { newMessage } from '../../model/message-draft';
import { composeOf } from '../../testing/compose';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { ComposeContext } from './compose-context';
import { TestSend } from './test-send';

const SEND = '/api/push/toUsers';

describe('a test of a message', () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => jest.restoreAllMocks());

  it('is sent in a browser that keeps nothing for a site', async () => {
    const forbid = (): never => {
      throw new DOMException('The operation is insecure', 'SecurityError');
    };
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(forbid);
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(forbid);
    const gateway = new FakeGateway();
    gateway.answer('POST', SEND, { count: 2, byVendor: { fcm: 2 }, sample: [] });
    const { user } = show(
      <ComposeContext value={composeOf({ ...newMessage('draft-1'), content: 'Hello' })}>
        <TestSend isDisabled={false} />
      </ComposeContext>,
      { gateway },
    );
    await user.click(screen.getByRole('button', { name: 'Test' }));
    await user.type(within(await screen.findByRole('dialog')).getByRole('textbox'), 'ada');
    await user.click(screen.getByRole('button', { name: 'Send the test' }));
    await screen.findByText('Accepted for 2 devices.');
  });

  it('is sent under the same key until it was answered, also from a dialog that was closed: testers may have it', async () => {
    const gateway = new FakeGateway();
    gateway.answerWith('POST', SEND, () => new Response('<html>Gateway timeout</html>', { status: 504 }));
    const draft = { ...newMessage('draft-1'), content: 'Hello' };
    const { user } = show(
      <ComposeContext value={composeOf(draft)}>
        <TestSend isDisabled={false} />
      </ComposeContext>,
      { gateway },
    );
    const open = async (): Promise<HTMLElement> => {
      await user.click(screen.getByRole('button', { name: 'Test' }));
      return screen.findByRole('dialog');
    };
    const press = (dialog: HTMLElement): Promise<void> =>
      user.click(within(dialog).getByRole('button', { name: 'Send the test' }));
    const first = await open();
    await user.type(within(first).getByRole('textbox'), 'ada');
    await press(first);
    await within(first).findByRole('alert');
    await user.keyboard('{Escape}');

    gateway.answer('POST', SEND, { count: 2, byVendor: { fcm: 2 }, sample: [] });
    const second = await open();
    await press(second);
    await within(second).findByText('Accepted for 2 devices.');
    await press(second);
    await within(second).findByText('Accepted for 2 devices.');
    const [lost, again, next] = gateway.askedFor('POST', SEND).map(({ idempotencyKey }) => idempotencyKey);
    expect(lost).toBeTruthy();
    expect(again).toBe(lost);
    expect(next).not.toBe(lost);
  });
});
