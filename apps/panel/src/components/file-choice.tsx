import { Button, type ButtonProps, FileButton } from '@mantine/core';
import { type ReactNode, useRef } from 'react';

/** What to say of a file that the browser cannot read, which it may find out long after the file was chosen. */
export const UNREAD_FILE = 'The file cannot be read. It may have been moved, changed or deleted since';

/**
 * A button by which a person chooses a file. A browser says nothing when the file is chosen that its field holds already, so
 * the field is emptied: the same file can be chosen again, after a refusal or a correction.
 */
export function FileChoice(
  props: ButtonProps & { accept: string; onChoose: (file: File) => void; children: ReactNode },
): ReactNode {
  const { accept, onChoose, ...button } = props;
  const emptyField = useRef<() => void>(null);
  const choose = (file: File | null): void => {
    emptyField.current?.();
    if (file !== null) onChoose(file);
  };
  return (
    <FileButton accept={accept} onChange={choose} resetRef={emptyField}>
      {(opener) => <Button variant="default" {...button} {...opener} />}
    </FileButton>
  );
}
