import { act, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { NewCampaign } from '../pages/campaigns/campaigns-page';
import { FakeGateway } from '../testing/fake-gateway';
import { show, type Shown } from '../testing/show';

const PATH = '/api/push/campaigns';

function Page(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>Plan a campaign</button>
      <NewCampaign isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

async function open(gateway = new FakeGateway()): Promise<Shown> {
  const shown = show(<Page />, { gateway });
  await shown.user.click(screen.getByRole('button', { name: 'Plan a campaign' }));
  return shown;
}

describe('a form in a dialog', () => {
  it('begins in its first field, saves what was typed, and closes', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', PATH, {} as never);
    const { user } = await open(gateway);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Track id' })));
    await user.keyboard('spring{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(gateway.askedFor('POST', PATH).map(({ body }) => body)).toEqual([{ trackId: 'spring' }]);
  });

  it('shows a problem at the field that has it, keeps what was typed, and marks it no more once it is mended', async () => {
    const gateway = new FakeGateway();
    const details = [{ path: 'trackId', message: 'must not hold a line break' }];
    gateway.refuse('POST', PATH, 400, { message: 'Bad fields', details });
    const { user } = await open(gateway);
    const field = screen.getByRole('textbox', { name: 'Track id' });
    await user.type(field, 'spring');
    await user.click(screen.getByRole('button', { name: 'Plan' }));
    expect(await screen.findByText('must not hold a line break')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('Correct the marked fields and try again.');
    expect(field).toHaveProperty('value', 'spring');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
    gateway.answer('POST', PATH, {} as never);
    await user.type(field, '2{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says below its fields what belongs to none of them', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('POST', PATH, 409, { message: 'There is a campaign with this track id' });
    const { user } = await open(gateway);
    await user.type(screen.getByRole('textbox', { name: 'Track id' }), 'spring{Enter}');
    const { textContent } = await screen.findByRole('alert');
    expect(textContent).toContain(
      'There is a campaign with this track id. Change what you entered, or close this dialog',
    );
  });

  it('is sent once, though its button is pressed twice before anything moves', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', PATH, {} as never);
    const { user } = await open(gateway);
    await user.type(screen.getByRole('textbox', { name: 'Track id' }), 'spring');
    const button = screen.getByRole('button', { name: 'Plan' });
    act(() => {
      button.click();
      button.click();
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(gateway.askedFor('POST', PATH)).toHaveLength(1);
  });

  it('forgets what was typed when it is closed without saving', async () => {
    const { user, gateway } = await open();
    await user.type(screen.getByRole('textbox', { name: 'Track id' }), 'spring');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Plan a campaign' }));
    expect(screen.getByRole('textbox', { name: 'Track id' })).toHaveProperty('value', '');
    expect(gateway.asked).toEqual([]);
  });
});
