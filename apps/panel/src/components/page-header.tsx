import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { IconArrowLeft } from './icons';
import classes from './page-header.module.css';

/** What stands at the top of a page. `documentTitle` names the browser's tab when `title` is no plain text. */
export interface PageHeaderProps {
  title: ReactNode;
  documentTitle?: string;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
}

/** A page's heading, what it is for, and what can be done on it. */
export function PageHeader({ title, documentTitle, description, actions, back }: PageHeaderProps): ReactNode {
  const name = documentTitle ?? (typeof title === 'string' ? title : undefined);
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · Postrider`;
  }, [name]);
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
