import { screen, waitFor } from '@testing-library/react';
import { show } from '../../testing/show';
import { ArchiveCard } from './archive-card';

/** The uploads of a test, none of which is answered. */
class KeptUpload {
  static readonly all: KeptUpload[] = [];
  readonly upload = {};
  readonly headers: Record<string, string> = {};
  constructor() {
    KeptUpload.all.push(this);
  }
  open(): void {}
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  abort(): void {}
  send(): void {}
}

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

  it('is asked about with its name as it is, not as its marks of direction turn it', async () => {
    const { user } = show(<ArchiveCard appId="shop" />);
    const archive = new File(['{}'], 'shop\u202Egnp.ndjson');
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, archive);
    expect((await screen.findByRole('dialog')).textContent).toContain('shop[U+202E]gnp.ndjson: its users');
  });

  it.each([
    ['shop.ndjson.gz', 'gzip'],
    ['SHOP.NDJSON.GZ', 'gzip'],
    ['shop.ndjson', undefined],
  ])('is sent as what the name %s says', async (name, encoding) => {
    const upload = globalThis.XMLHttpRequest;
    Object.assign(globalThis, { XMLHttpRequest: KeptUpload });
    try {
      const { user } = show(<ArchiveCard appId="shop" />);
      await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File(['{}'], name));
      await user.click(await screen.findByRole('button', { name: 'Import' }));
      await waitFor(() => expect(KeptUpload.all).toHaveLength(1));
      expect(KeptUpload.all.pop()?.headers['content-encoding']).toBe(encoding);
    } finally {
      Object.assign(globalThis, { XMLHttpRequest: upload });
    }
  });
});
