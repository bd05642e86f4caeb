import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { IconArrowLeft } from './icons';
import classes from './page-header.module.css';
import { useDocumentTitle } from './use-document-title';

/** The top of a page. `documentTitle` names the browser's tab if `title` is not plain text. */
export interface PageHeaderProps {
  title: ReactNode;
  documentTitle?: string;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
}

/** A page's heading, its purpose, and its actions. */
export function PageHeader({ title, documentTitle, description, actions, back }: PageHeaderProps): ReactNode {
  const name = documentTitle ?? (typeof title === 'string' ? title : undefined);
  useDocumentTitle(name);
  return (
    <header className={classes.header}>
      {back && (
        <Link href={back.href} className={classes.back}>
          <IconArrowLeft size={16} aria-hidden />
          {back.label}
        </Link>
      )}
      <div className={classes.row}>
        <div className={classes.words}>
          <Title order={1}>{title}</Title>
          {description !== undefined && (
            <Text c="dimmed" mt={4} maw="65ch" component="div">
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </div>
    </header>
  );
}
