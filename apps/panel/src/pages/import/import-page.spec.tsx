import { screen, waitFor } from '@testing-library/react';
import { show } from '../../testing/show';
import { ImportPage } from './import-page';

describe('the page of an import', () => {
  it('begins no import of a table whose columns are unknown, and says what to choose', async () => {
    const { user } = show(<ImportPage />);
    const field = document.querySelector<HTMLInputElement>('input[type=file]');
    if (field === null) throw new Error('There is no field for a file');
    await user.upload(field, new File(['user,phone_model\nada,Pixel\n'], 'other.csv', { type: 'text/csv' }));
    await screen.findByText(/^The columns have no known format\. Choose under “What it is”/);
    expect(screen.getByRole('button', { name: 'Import' })).toHaveProperty('disabled', true);

    await user.click(screen.getByRole('button', { name: 'Remove the file' }));
    await user.upload(field, new File(['token-0123456789abcdef0123\n'], 'tokens.csv', { type: 'text/csv' }));
    await screen.findByText(/^Recognised: /);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Import' })).toHaveProperty('disabled', false));
  });
});
