import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { ImportPage } from './import-page';

async function choose(user: UserEvent, name: string, content: string): Promise<void> {
  const field = document.querySelector<HTMLInputElement>('input[type=file]');
  if (field === null) throw new Error('There is no field for a file');
  await user.upload(field, new File([content], name, { type: 'text/csv' }));
}

async function select(user: UserEvent, name: string, option: string): Promise<void> {
  await user.click(screen.getByRole('combobox', { name }));
  await user.click(await screen.findByRole('option', { name: option }));
}

function canImport(): boolean {
  return !screen.getByRole<HTMLButtonElement>('button', { name: 'Import' }).disabled;
}

const OTHER_ID = '01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5e';
const IMPORT = {
  ...{ jobId: '01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d', name: 'may.csv', status: 'done' as const, reason: null },
  ...{ format: 'tokens' as const, bytes: 10, bytesWorked: 10, lines: 3 },
  ...{ created: 2, updated: 0, unchanged: 0, skipped: 0, failed: 0, incomplete: 0 },
  ...{ missingColumns: [], unreadColumns: [], validation: null },
  ...{ startedAt: '2026-11-23T08:00:00.000Z', finishedAt: '2026-11-23T08:00:01.000Z' },
};

describe('the page of an import', () => {
  it('has no heading without a text before an import has begun', async () => {
    show(<ImportPage />);
    await screen.findByText('File');
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Import devices']);
  });

  it('begins no import of a table whose columns are unknown, and says what to choose', async () => {
    const { user } = show(<ImportPage />);
    await choose(user, 'other.csv', 'user,phone_model\nada,Pixel\n');
    await screen.findByText(/^The columns have no known format\. Choose under “What it is”/);
    expect(canImport()).toBe(false);
  });

  it('says at once, and at the field, why the file that was chosen cannot be read', async () => {
    const { user } = show(<ImportPage />);
    const gone = new File(['token'], 'gone.csv', { type: 'text/csv' });
    gone.slice = () => {
      throw new DOMException('The file is gone', 'NotReadableError');
    };
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, gone);
    await screen.findByText('The file cannot be read: The file is gone');
    expect(screen.queryByText(/gateway/)).toBeNull();
    expect(canImport()).toBe(false);
    await choose(user, 'tokens.csv', 'token,userId\ntoken-0123456789abcdef0123,ada\n');
    await screen.findByText('Recognised: A list of tokens.');
    expect(screen.queryByText(/cannot be read/)).toBeNull();
  });

  it('begins no import of tokens before somebody says whose they are, and names the columns that are not imported', async () => {
    const { user } = show(<ImportPage />);
    await choose(user, 'tokens.csv', 'token,userId,colour,shoe size\ntoken-0123456789abcdef0123,ada,blue,41\n');
    await screen.findByText('Recognised: A list of tokens.');
    await screen.findByText('The file does not say whose tokens it has');
    expect(screen.getByText(/^Not imported, /).textContent).toContain('these columns: colour, shoe size.');
    expect(canImport()).toBe(false);
    await select(user, 'Vendor', 'Firebase (FCM)');
    await waitFor(() => expect(canImport()).toBe(true));
  });

  it('begins no import in which two columns are one field', async () => {
    const { user } = show(<ImportPage />);
    await choose(user, 'crm.csv', 'number,key,name\n7,token-0123456789abcdef0123,Ada\n');
    await screen.findByText(/^The columns have no known format/);
    await select(user, 'What it is', 'Other: choose its columns');
    await select(user, 'Vendor', 'Firebase (FCM)');
    await select(user, 'What column key holds', 'Push token');
    await select(user, 'What column number holds', 'User id');
    expect(canImport()).toBe(true);
    await select(user, 'What column name holds', 'User id');
    expect(screen.getAllByText('Chosen for two columns')).toHaveLength(2);
    expect(canImport()).toBe(false);
    await select(user, 'What column name holds', 'Attribute of this name');
    expect(canImport()).toBe(true);
  });

  it('shows the import that its address names', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/installations/import/{jobId}', {
      ...IMPORT,
      errors: [],
    });
    const { user } = show(<ImportPage />, { gateway, at: '/?job=01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d' });
    await screen.findByText('New: 2 devices.');
    await user.click(screen.getByRole('button', { name: 'Import another file' }));
    expect(canImport()).toBe(false);
    expect(window.location.search).toBe('');
  });

  it('lists the files that were imported before, and shows the one that is opened', async () => {
    const gateway = new FakeGateway();
    const cancelled = { ...IMPORT, jobId: OTHER_ID, name: null, status: 'failed' as const, reason: 'cancelled' };
    gateway.answer('GET', '/api/installations/import', { imports: [IMPORT, cancelled], nextCursor: null });
    gateway.answer('GET', '/api/installations/import/{jobId}', { ...IMPORT, errors: [] });
    const { user } = show(<ImportPage />, { gateway });
    const list = await screen.findByRole('table', { name: 'Earlier imports' });
    expect(list.textContent).toContain('A file without a name');
    expect(list.textContent).toContain('cancelled');
    await user.click(screen.getByRole('link', { name: 'may.csv' }));
    await screen.findByText('New: 2 devices.');
    screen.getByRole('heading', { name: 'may.csv' });
    expect(screen.queryByRole('table', { name: 'Earlier imports' })).toBeNull();
  });
});
