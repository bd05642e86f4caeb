import { Button, TextInput } from '@mantine/core';
import { screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { show } from '../testing/show';

const submitted = jest.fn();

function Form(): ReactNode {
  const [isPending, setPending] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submitted();
        setPending(true);
      }}
    >
      <TextInput label="Name" />
      <Button type="submit" loading={isPending}>
        Save
      </Button>
      <Button type="reset" onClick={() => setPending(false)}>
        Answer
      </Button>
    </form>
  );
}

describe('a button that waits for an answer', () => {
  const save = (): HTMLButtonElement => screen.getByRole('button', { name: 'Save' });

  beforeEach(() => submitted.mockClear());

  it('keeps the focus, and says that it is busy', async () => {
    const { user } = show(<Form />);
    await user.click(save());
    // A disabled element loses the focus in browsers; jsdom does not show that.
    expect(save().disabled).toBe(false);
    expect(document.activeElement).toBe(save());
    expect(save().getAttribute('aria-busy')).toBe('true');
    expect(save().getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Answer' }));
    expect(save().hasAttribute('aria-busy')).toBe(false);
  });

  it('does nothing when it is pressed again, or Enter in a field of its form, until the answer is there', async () => {
    const { user } = show(<Form />);
    await user.click(save());
    await user.click(save());
    await user.type(screen.getByLabelText('Name'), '{Enter}');
    expect(submitted).toHaveBeenCalledTimes(1);
    await user.click(screen.getByRole('button', { name: 'Answer' }));
    await user.type(screen.getByLabelText('Name'), '{Enter}');
    expect(submitted).toHaveBeenCalledTimes(2);
  });
});
