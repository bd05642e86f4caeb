import { screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import type { PromoJobResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { UploadDialog } from './upload-dialog';

const JOB = {
  ...{ jobId: 'j-1', status: 'done', rows: 3, totalRows: 2, bytes: 12, bytesImported: 12, reason: null },
} as unknown as PromoJobResponse;

/** The browser's older way to send a file, which is answered at once. */
class AnsweredUpload {
  static answer: { status: number; text: string } = { status: 202, text: '' };
  readonly upload = {};
  status = 0;
  responseText = '';
  onload: (() => void) | null = null;
  open(): void {}
  setRequestHeader(): void {}
  getResponseHeader(): null {
    return null;
  }
  abort(): void {}
  send(): void {
    queueMicrotask(() => {
      Object.assign(this, { status: AnsweredUpload.answer.status, responseText: AnsweredUpload.answer.text });
      this.onload?.();
    });
  }
}

function Page({ trackId }: { trackId?: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <main id="content" tabIndex={-1}>
      <button onClick={() => setOpen(true)}>Upload codes</button>
      <UploadDialog isOpen={isOpen} trackId={trackId} onClose={() => setOpen(false)} onDone={() => undefined} />
    </main>
  );
}

/** Opens the dialog by keyboard. */
async function open(trackId?: string, gateway = new FakeGateway()): Promise<Shown & { dialog: HTMLElement }> {
  const shown = show(<Page trackId={trackId} />, { gateway });
  screen.getByRole('button', { name: 'Upload codes' }).focus();
  await shown.user.keyboard('{Enter}');
  return { ...shown, dialog: await screen.findByRole('dialog', { name: 'Upload promo codes' }) };
}

describe('a file of promo codes', () => {
  it('shows its first lines, of which one may be a heading', async () => {
    const { user, dialog } = await open('sale');
    const file = new File(['\uFEFFcode\r\n\r\nSALE-1\r\nSALE-2\r\nSALE-3\r\n'], 'codes.csv');
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    if (input === null) throw new Error('There is no place for a file');
    await user.upload(input, file);
    expect((await within(dialog).findByRole('status')).textContent).toBe(
      'The first codes. If the first line is a heading, remove it from the file:codeSALE-1SALE-2',
    );
  });
});

describe('the focus around the upload of promo codes', () => {
  const upload = globalThis.XMLHttpRequest;

  beforeAll(() => {
    Object.assign(globalThis, { XMLHttpRequest: AnsweredUpload });
  });

  afterAll(() => {
    Object.assign(globalThis, { XMLHttpRequest: upload });
  });

  it.each([
    ['whose codes they are', undefined, 'One campaign'],
    ['the file, where that is known', 'sale', 'File'],
  ])('begins at %s, and goes back to the button that opened it', async (_, trackId, first) => {
    const { user, dialog } = await open(trackId);
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText(first)));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Upload codes' })));
  });

  it.each([
    ['done', 'The new codes are in force', 'Close'],
    ['failed', 'The file cannot be used', 'Choose another file'],
  ] as const)('stays inside while the file is imported, and once that is %s', async (status, title, next) => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/promo/jobs/{id}', { ...JOB, status, reason: 'line 2: has a second column' });
    AnsweredUpload.answer = { status: 202, text: JSON.stringify({ jobId: 'j-1' }) };
    gateway.answer('POST', '/api/push/campaigns', {} as never);
    const { user, dialog } = await open('sale', gateway);
    await user.upload(fileInput(), new File(['A\nB\n'], 'codes.csv', { type: 'text/csv' }));
    within(dialog).getByRole('button', { name: 'Upload' }).focus();
    await user.keyboard('{Enter}');
    await screen.findByText(title);
    // Nobody knows here whether there were codes before.
    expect(dialog.textContent).not.toContain('former');
    expect(dialog.contains(document.activeElement)).toBe(true);
    await user.tab();
    // The dialog is also closed by a button at its head.
    expect(document.activeElement).toBe(within(dialog).getAllByRole('button', { name: next }).at(-1));
  });

  it('is at the file again when another one is to be chosen', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', '/api/push/campaigns', {} as never);
    AnsweredUpload.answer = { status: 400, text: JSON.stringify({ error: { message: 'The file is empty' } }) };
    const { user, dialog } = await open('sale', gateway);
    await user.upload(fileInput(), new File([''], 'codes.csv', { type: 'text/csv' }));
    await user.click(within(dialog).getByRole('button', { name: 'Upload' }));
    await within(dialog).findByText(/The file is empty/);
    const again = within(dialog).getByRole('button', { name: 'Choose another file' });
    again.focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText('File')));
  });
});

/** The field shows a button; the file goes into an input that nobody sees. */
function fileInput(): HTMLInputElement {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('There is no field for a file');
  return input;
}
