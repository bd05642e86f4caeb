import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** A window over the page. */
export interface DialogProps {
  isOpen: boolean;
  title: string;
  size?: ModalProps['size'];
  /** Only a button inside closes it: neither Escape, nor a click beside it, nor a cross. */
  isLocked?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Shows what is inside while it is open; it begins anew each time. */
export function Dialog(props: DialogProps): ReactNode {
  const { isOpen, title, size = 'md', isLocked = false, onClose, children } = props;
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={!isLocked}
      closeOnEscape={!isLocked}
      withCloseButton={!isLocked}
    >
      {isOpen && children}
    </Modal>
  );
}
