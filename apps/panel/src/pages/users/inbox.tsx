import { Anchor, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../api/reading';
import { formatNoun } from '../../components/format';
import { Moment } from '../../components/moment';
import { Typed } from '../../components/typed';
import classes from './users.module.css';

const FEW = 10;

/** The messages that a device's app keeps. Shows nothing where there is no inbox. */
export function Inbox({ installationId }: { installationId: string }): ReactNode {
  const { data } = useRead('/api/installations/{id}/inbox', {
    params: { path: { id: installationId }, query: { limit: FEW } },
  });
  if (!data) return null;
  return (
    <div className={classes.inbox}>
      <Title order={4} size="h3">
        Inbox
        {data.unread > 0 && (
          <Text span size="sm" c="dimmed">
            {' '}
            {formatNoun(data.unread, 'unread message')}
          </Text>
        )}
      </Title>
      {data.messages.length === 0 ? (
        <Text size="sm" c="dimmed">
          It is empty.
        </Text>
      ) : (
        <ul className={classes.kept}>
          {data.messages.map((message) => {
            const at = message.createdAt === undefined ? null : new Date(message.createdAt).toISOString();
            return (
              <li key={message.id}>
                <Anchor component={Link} size="sm" href={`/messages/${message.id}/devices/${installationId}`}>
                  <Typed text={message.content ?? message.notification?.title ?? 'A message without text'} lines={1} />
                </Anchor>
                <Text size="xs" c="dimmed" component="span">
                  {at && <Moment at={at} />}
                  {message.read ? ' · read' : ''}
                </Text>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
