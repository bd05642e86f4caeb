import { act, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { newMessage } from '../../model/message-draft';
import { composeOf } from '../../testing/compose';
import { show } from '../../testing/show';
import { ComposeContext } from './compose-context';
import { FileAudience } from './file-audience';
import { UsersAudience } from './audience-section';

/** A message that is being written, with its recipients only. */
function Page({ children, fileName = '' }: { children: ReactNode; fileName?: string }): ReactNode {
  const [draft, setDraft] = useState(() => {
    const fresh = newMessage('draft-1');
    return { ...fresh, audience: { ...fresh.audience, fileName } };
  });
  const [fileUsers, setFileUsers] = useState<readonly string[] | null>(null);
  const compose = composeOf(draft, {
    patch: (change: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...change })),
    fileUsers,
    setFileUsers,
  });
  return (
    <ComposeContext value={compose}>
      {children}
      <p aria-label="Taken">{fileUsers?.join('|') ?? 'nobody'}</p>
    </ComposeContext>
  );
}

const taken = (): string | null => screen.getByLabelText('Taken').textContent;
const csv = (text: string | Uint8Array<ArrayBuffer>): File => new File([text], 'users.csv', { type: 'text/csv' });

/** The browser's own file field: the field that a person sees is a button. */
function input(): HTMLInputElement {
  const found = document.querySelector<HTMLInputElement>('input[type=file]');
  if (found === null) throw new Error('There is no place for a file');
  return found;
}

describe('recipients from a file', () => {
  it('are counted, each once, and the first are shown', async () => {
    const { user } = show(<Page children={<FileAudience />} />);
    await user.upload(input(), csv('userId\nada\nomid\n"li, na"\nada\n'));
    expect((await screen.findByRole('status')).textContent).toBe(
      '3 users; 1 repeated line left out. The first: ada, omid, li, na',
    );
    expect(taken()).toBe('ada|omid|li, na');
  });

  it('are none while a line is wrong, which is named', async () => {
    const { user } = show(<Page children={<FileAudience />} />);
    await user.upload(input(), csv('ada\nomid,42\n*\n'));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Line 2 has more than one column');
    expect(alert.textContent).toContain('Line 3 contains *');
    expect(taken()).toBe('nobody');
  });

  it('are taken from the next file, once the first was refused', async () => {
    const { user } = show(<Page children={<FileAudience />} />);
    await user.upload(input(), csv(''));
    expect((await screen.findByRole('alert')).textContent).toContain('The file holds no user id');
    await user.upload(input(), csv('ada'));
    expect((await screen.findByRole('status')).textContent).toContain('1 user');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('are none where the file cannot be read, and the reader is told', async () => {
    const { user } = show(<Page children={<FileAudience />} />);
    const gone = csv('ada');
    gone.stream = () => {
      throw new DOMException('The file is gone', 'NotReadableError');
    };
    await user.upload(input(), gone);
    expect((await screen.findByRole('alert')).textContent).toContain('cannot be read');
    expect(taken()).toBe('nobody');
  });

  it('are those of the file that was chosen last, however long the former one is read', async () => {
    const { user } = show(<Page children={<FileAudience />} />);
    const slow = csv('ada');
    let end = (): void => undefined;
    slow.stream = () =>
      new ReadableStream({
        start: (reader) => {
          end = () => {
            reader.enqueue(new TextEncoder().encode('ada'));
            reader.close();
          };
        },
      });
    await user.upload(input(), slow);
    await user.upload(input(), csv('omid'));
    await waitFor(() => expect(taken()).toBe('omid'));
    end();
    await act(() => Promise.resolve());
    expect(taken()).toBe('omid');
  });

  it('are refused where the file is no UTF-8', async () => {
    const { user } = show(<Page children={<FileAudience />} />);
    await user.upload(input(), csv(new Uint8Array([0x61, 0xff, 0xfe, 0x0a])));
    expect((await screen.findByRole('alert')).textContent).toContain('UTF-8');
    expect(taken()).toBe('nobody');
  });

  it('are forgotten when the file is removed', async () => {
    const { user } = show(<Page children={<FileAudience />} />);
    await user.upload(input(), csv('ada'));
    await screen.findByRole('status');
    await user.click(screen.getByRole('button', { name: 'Remove the file' }));
    expect(taken()).toBe('nobody');
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('are asked for again after the page was loaded anew, by the name of the file', () => {
    show(<Page children={<FileAudience />} fileName="spring.csv" />);
    expect(screen.getByText('Choose spring.csv again')).toBeTruthy();
  });
});

describe('recipients by their ids', () => {
  it('may be typed or pasted, between lines and commas, and count once', async () => {
    const { user } = show(<Page children={<UsersAudience />} />);
    expect(screen.getByText(/One per line, or separated by commas/)).toBeTruthy();
    await user.click(screen.getByRole('textbox', { name: 'User ids' }));
    await user.paste('ada, omid\nada;\n li na ');
    expect(screen.getByText('3 users, each on all devices. Repeated ids count once.')).toBeTruthy();
  });
});
