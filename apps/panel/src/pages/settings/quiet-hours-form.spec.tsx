import { fireEvent, screen } from '@testing-library/react';
import type { ApplicationResponse, QuietHoursResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { QuietHoursForm } from './quiet-hours-form';

const PATH = '/api/admin/apps/{id}';
const NIGHT: QuietHoursResponse = { start: '23:00', end: '07:00', timeZone: 'Asia/Tehran', applies: 'all' };

function showForm(quietHours: QuietHoursResponse | null, gateway = new FakeGateway()): Shown {
  const application = { id: 'shop', quietHours, defaultTimeZone: null } as ApplicationResponse;
  gateway.answer('GET', PATH, application);
  gateway.answer('PATCH', PATH, {} as never);
  return show(<QuietHoursForm application={application} />, { gateway });
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
