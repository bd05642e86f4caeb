import { ActionIcon, CopyButton as Copying, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconCheck, IconCopy } from './icons';

/** Puts `value` on the clipboard. */
export function CopyButton(props: {
  value: string;
  label?: string;
  /** True if it takes the focus when it appears. */
  hasFocus?: boolean;
}): ReactNode {
  const { value, label = 'Copy', hasFocus = false } = props;
  return (
    <Copying value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={copied ? 'Copied' : label}
            autoFocus={hasFocus}
            onClick={copy}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copying>
  );
}
