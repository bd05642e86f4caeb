import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { ApplicationResponse, QuietHoursResponse } from '@postrider/server/document';
import { useAdminRead } from '../../api/reading';
import { FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { QuietHoursForm } from './quiet-hours-form';
import { SharedSettings } from './testing/shared-settings';

const PATH = '/api/admin/apps/{id}';
const NIGHT: QuietHoursResponse = { start: '23:00', end: '07:00', timeZone: 'Asia/Tehran', applies: 'all' };

function showForm(quietHours: QuietHoursResponse | null, gateway = new FakeGateway()): Shown {
  const application = { id: 'shop', quietHours, defaultTimeZone: null } as ApplicationResponse;
  gateway.answer('GET', PATH, application);
  gateway.answer('PATCH', PATH, {} as never);
  return show(<QuietHoursForm application={application} />, { gateway });
}

function Page(): ReactNode {
  const { data } = useAdminRead(PATH, { params: { path: { id: 'shop' } } });
  return data && <QuietHoursForm application={data} />;
}

describe('the form of the quiet hours', () => {
  it('asks for nothing while they are off', () => {
    showForm(null);
    expect(screen.getByRole('switch', { name: 'Use quiet hours' })).toHaveProperty('checked', false);
    expect(screen.queryByLabelText('From')).toBeNull();
  });

  it('proposes the night on each device’s clock, for campaigns, and stores what is chosen', async () => {
    const { user, gateway } = showForm(null);
    await user.click(screen.getByRole('switch', { name: 'Use quiet hours' }));
    expect(screen.getByLabelText('From')).toHaveProperty('value', '22:00');
    expect(screen.getByRole('radio', { name: 'Campaigns' })).toHaveProperty('checked', true);
    fireEvent.change(screen.getByLabelText('Until'), { target: { value: '09:30' } });
    await user.click(screen.getByRole('radio', { name: 'Messages to named users too' }));
    await user.type(screen.getByRole('textbox', { name: /Time zone of devices/ }), 'Europe/Berlin');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('The quiet hours are saved')).toBeTruthy();
    expect(gateway.askedFor('PATCH', PATH)[0]?.body).toEqual({
      quietHours: { start: '22:00', end: '09:30', timeZone: 'device', applies: 'all' },
      defaultTimeZone: 'Europe/Berlin',
    });
  });

  it('ends them when they are switched off', async () => {
    const { user, gateway } = showForm(NIGHT);
    expect(screen.getByLabelText('From')).toHaveProperty('value', '23:00');
    await user.click(screen.getByRole('switch', { name: 'Use quiet hours' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The quiet hours are saved');
    expect(gateway.askedFor('PATCH', PATH)[0]?.body).toEqual({ quietHours: null });
  });

  it('keeps what another operator changed meanwhile', async () => {
    const { user, gateway } = showForm({ ...NIGHT, timeZone: 'device' });
    const theirs = { id: 'shop', quietHours: { ...NIGHT, start: '21:00' }, defaultTimeZone: 'Europe/Berlin' };
    gateway.answer('GET', PATH, theirs as ApplicationResponse);
    fireEvent.change(screen.getByLabelText('Until'), { target: { value: '09:30' } });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The quiet hours are saved');
    expect(gateway.askedFor('PATCH', PATH)[0]?.body).toEqual({ quietHours: { ...theirs.quietHours, end: '09:30' } });
  });

  /** The reader writes that the night ends at half past nine; another operator saves something while the reader saves. */
  async function changeToo(theirs: Partial<ApplicationResponse>): Promise<Shown & { shared: SharedSettings }> {
    const shared = new SharedSettings({ quietHours: NIGHT, defaultTimeZone: null });
    const shown = show(<Page />, { gateway: shared.gateway });
    fireEvent.change(await screen.findByLabelText('Until'), { target: { value: '09:30' } });
    shared.saveBeforeNextChange(theirs);
    await shown.user.click(screen.getByRole('button', { name: 'Save' }));
    return { ...shown, shared };
  }

  it('keeps what another operator saves between the reading and the change', async () => {
    const { shared } = await changeToo({ quietHours: { ...NIGHT, start: '21:00' } });
    await screen.findByText('The quiet hours are saved');
    expect(shared.settings.quietHours).toEqual({ ...NIGHT, start: '21:00', end: '09:30' });
  });

  it('asks before it saves over what another operator saved meanwhile, and saves what the reader keeps', async () => {
    const { user, shared } = await changeToo({ quietHours: { ...NIGHT, end: '06:15' } });
    await screen.findByText(/Theirs are: until 06:15/);
    expect(screen.getByLabelText('Until')).toHaveProperty('value', '09:30');
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    expect(shared.settings.quietHours).toEqual({ ...NIGHT, end: '06:15' });
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The quiet hours are saved');
    expect(shared.settings.quietHours).toEqual({ ...NIGHT, end: '09:30' });
  });

  it('shows what the other operator saved when the reader discards their own changes', async () => {
    const { user } = await changeToo({ quietHours: { ...NIGHT, end: '06:15' } });
    await user.click(await screen.findByRole('button', { name: 'Discard my changes' }));
    expect(screen.getByLabelText('Until')).toHaveProperty('value', '06:15');
    expect(screen.queryByText(/Theirs are/)).toBeNull();
  });

  it('does not call hours saved that another operator has switched off: the reader may switch them on again', async () => {
    const { user, shared } = await changeToo({ quietHours: null });
    await screen.findByText(/They switched the quiet hours off/);
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
    await waitFor(() => expect(screen.getByLabelText('Until')).toHaveProperty('value', '09:30'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The quiet hours are saved');
    expect(shared.settings.quietHours).toMatchObject({ end: '09:30' });
  });

  it('shows at its field what is wrong', async () => {
    const { user, gateway } = showForm(NIGHT);
    const details = [{ path: 'quietHours.timeZone', message: 'must be a time zone of the IANA list, or device' }];
    gateway.refuse('PATCH', PATH, 400, { message: 'Bad fields', details });
    await user.type(screen.getByRole('textbox', { name: /Time zone of the quiet hours/ }), '?');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('must be a time zone of the IANA list, or device')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: /Time zone of the quiet hours/ }).getAttribute('aria-invalid')).toBe(
      'true',
    );
  });
});
