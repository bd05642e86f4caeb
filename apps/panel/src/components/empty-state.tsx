import { Text, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';
import { useDocumentTitle } from './use-document-title';

/** Says that nothing is here yet, why, and what to do next. */
export function EmptyState(props: {
  icon: Icon;
  title: string;
  /** True if there is nothing else on the page: then this is its heading. */
  isPage?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}): ReactNode {
  const { icon: Sign, title, isPage = false, children, action } = props;
  useDocumentTitle(isPage ? title : undefined);
  return (
    <div className={classes.empty}>
      <span className={classes.sign}>
        <Sign size={26} stroke={1.6} aria-hidden />
      </span>
      <Title order={isPage ? 1 : 2} size="h2">
        {title}
      </Title>
      {children !== undefined && (
        <Text c="dimmed" maw="46ch" component="div">
          {children}
        </Text>
      )}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
