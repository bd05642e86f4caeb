import { screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { ApplicationResponse, FrequencyCapResponse } from '@postrider/server/document';
import { useAdminRead } from '../../api/reading';
import { FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { SharedSettings } from './testing/shared-settings';
import { FrequencyCapsForm } from './frequency-caps-form';

const PATH = '/api/admin/apps/{id}';

function showForm(frequencyCaps: FrequencyCapResponse[], gateway = new FakeGateway()): Shown {
  const application = { id: 'shop', frequencyCaps } as ApplicationResponse;
  gateway.answer('GET', PATH, application);
  gateway.answer('PATCH', PATH, {} as never);
  return show(<FrequencyCapsForm application={application} />, { gateway });
}

function Page(): ReactNode {
  const { data } = useAdminRead(PATH, { params: { path: { id: 'shop' } } });
  return data && <FrequencyCapsForm application={data} />;
}

function cap(number: number): ReturnType<typeof within> {
  return within(screen.getByRole('group', { name: `Cap ${number}` }));
}

describe('the form of the frequency caps', () => {
  it('says that there are none, proposes three a day, and stores what is chosen', async () => {
    const { user, gateway } = showForm([]);
    expect(screen.getByText('Users get every campaign.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Add a cap' }));
    expect(document.activeElement).toBe(cap(1).getByLabelText('At most'));
    await user.clear(cap(1).getByLabelText('At most'));
    await user.type(cap(1).getByLabelText('At most'), '2');
    await user.selectOptions(cap(1).getByLabelText('Unit'), 'hours');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('The frequency caps are saved')).toBeTruthy();
    expect(gateway.askedFor('PATCH', PATH)[0]?.body).toEqual({ frequencyCaps: [{ messages: 2, seconds: 3_600 }] });
  });

  it('shows each in its longest unit, and takes them away', async () => {
    const { user, gateway } = showForm([
      { messages: 3, seconds: 172_800 },
      { messages: 1, seconds: 5_400 },
    ]);
    expect(cap(1).getByLabelText('In')).toHaveProperty('value', '2');
    expect(cap(1).getByLabelText('Unit')).toHaveProperty('value', '86400');
    expect(cap(2).getByLabelText('In')).toHaveProperty('value', '90');
    await user.click(screen.getByRole('button', { name: 'Remove cap 1' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The frequency caps are saved');
    expect(gateway.askedFor('PATCH', PATH)[0]?.body).toEqual({ frequencyCaps: [{ messages: 1, seconds: 5_400 }] });
  });

  it('shows at its field what is wrong', async () => {
    const { user, gateway } = showForm([{ messages: 3, seconds: 60 }]);
    const details = [{ path: 'frequencyCaps[0].seconds', message: 'must be an integer from 1 to 2592000' }];
    gateway.refuse('PATCH', PATH, 400, { message: 'Bad fields', details });
    await user.type(cap(1).getByLabelText('At most'), '0');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('must be an integer from 1 to 2592000')).toBeTruthy();
  });

  it('shows what another operator changed meanwhile, and saves nothing that was not changed here', async () => {
    const gateway = new FakeGateway();
    const settings = (messages: number): ApplicationResponse =>
      ({ id: 'shop', frequencyCaps: [{ messages, seconds: 60 }] }) as ApplicationResponse;
    gateway.answer('GET', PATH, settings(3));
    const { user, readAgain } = show(<Page />, { gateway });
    await screen.findByRole('group', { name: 'Cap 1' });
    gateway.answer('GET', PATH, settings(5));
    await readAgain();
    await waitFor(() => expect(cap(1).getByLabelText('At most')).toHaveProperty('value', '5 campaigns'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The frequency caps are saved');
    expect(gateway.askedFor('PATCH', PATH)).toEqual([]);
  });

  /** Both operators have changed the one cap of three a minute: the other one, who saved it, to five. */
  async function changeToo(): Promise<Shown & { theirs: (messages: number) => void }> {
    const gateway = new FakeGateway();
    const theirs = (messages: number): void =>
      gateway.answer('GET', PATH, { id: 'shop', frequencyCaps: [{ messages, seconds: 60 }] } as ApplicationResponse);
    theirs(3);
    gateway.answer('PATCH', PATH, {} as never);
    const shown = show(<Page />, { gateway });
    await screen.findByRole('group', { name: 'Cap 1' });
    await shown.user.clear(cap(1).getByLabelText('At most'));
    await shown.user.type(cap(1).getByLabelText('At most'), '7');
    theirs(5);
    await shown.user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(/5 campaigns in 1 minute/);
    expect(gateway.askedFor('PATCH', PATH)).toEqual([]);
    return { ...shown, theirs };
  }

  it('asks before it saves over what another operator saved meanwhile, and saves what the reader keeps', async () => {
    const { user, gateway, theirs } = await changeToo();
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
    expect(screen.queryByText(/5 campaigns in 1 minute/)).toBeNull();
    theirs(6);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(/6 campaigns in 1 minute/);
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The frequency caps are saved');
    expect(gateway.askedFor('PATCH', PATH).map(({ body }) => body)).toEqual([
      { frequencyCaps: [{ messages: 7, seconds: 60 }] },
    ]);
  });

  it('asks too if another operator saves between the reading and the change, and not for other settings', async () => {
    const shared = new SharedSettings({ frequencyCaps: [{ messages: 3, seconds: 60 }] });
    const { user } = show(<Page />, { gateway: shared.gateway });
    await screen.findByRole('group', { name: 'Cap 1' });
    const choose = async (messages: string): Promise<void> => {
      await user.clear(cap(1).getByLabelText('At most'));
      await user.type(cap(1).getByLabelText('At most'), messages);
    };
    await choose('7');
    shared.saveBeforeNextChange({ frequencyCaps: [{ messages: 5, seconds: 60 }] });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(/5 campaigns in 1 minute/);
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
    shared.saveBeforeNextChange({ name: 'The Shop' });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The frequency caps are saved');
    expect(shared.settings).toMatchObject({ name: 'The Shop', frequencyCaps: [{ messages: 7, seconds: 60 }] });
  });

  it('shows what the other operator saved when the reader discards their own changes', async () => {
    const { user, gateway } = await changeToo();
    await user.click(screen.getByRole('button', { name: 'Discard my changes' }));
    expect(screen.queryByText(/5 campaigns in 1 minute/)).toBeNull();
    expect(cap(1).getByLabelText('At most')).toHaveProperty('value', '5 campaigns');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The frequency caps are saved');
    expect(gateway.askedFor('PATCH', PATH)).toEqual([]);
  });
});
