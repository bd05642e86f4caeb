import { screen, waitFor } from '@testing-library/react';
import { show } from '../../testing/show';
import { ArchiveCard } from './archive-card';

describe('the archive of an application', () => {
  it('can be chosen again after the question about it was answered with no', async () => {
    const { user } = show(<ArchiveCard appId="shop" />);
    const field = document.querySelector<HTMLInputElement>('input[type=file]');
    if (field === null) throw new Error('There is no field for a file');
    const archive = new File(['{}'], 'shop.ndjson');
    for (let time = 1; time <= 2; time++) {
      await user.upload(field, archive);
      await screen.findByText('Import this archive?');
      await user.click(screen.getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(screen.queryByText('Import this archive?')).toBeNull());
    }
  });
});
