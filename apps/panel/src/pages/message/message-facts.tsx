import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { MessageResponse } from '@postrider/server/document';
import { CopyButton } from '../../components/copy-button';
import { Fact } from '../../components/stat';
import { formatCount, formatNoun, formatWallTime } from '../../components/format';
import { Moment } from '../../components/moment';
import { Typed } from '../../components/typed';
import { readRules } from '../../model/read-segment';
import { saySegment } from '../../model/say-segment';
import classes from './message-page.module.css';

const MOST_USERS = 20;

/** Other facts about a message: its recipients, its times, and its ids. */
export function MessageFacts({ message }: { message: MessageResponse }): ReactNode {
  const { users, channel, trackId, clientId, batchId, sendAt, rate } = message;
  return (
    <dl className={classes.list}>
      <Fact name="Accepted">
        <Moment at={message.acceptedAt} isAbsolute />
      </Fact>
      {sendAt != null && (
        <Fact name="Scheduled for">
          {message.localTime ? (
            `${formatWallTime(sendAt)}, in each device’s own time zone`
          ) : (
            <Moment at={sendAt} isAbsolute />
          )}
        </Fact>
      )}
      {message.doneAt !== null && (
        <Fact name="Done">
          <Moment at={message.doneAt} isAbsolute />
        </Fact>
      )}
      {message.cancelledAt !== null && (
        <Fact name="Cancelled">
          <Moment at={message.cancelledAt} isAbsolute />
        </Fact>
      )}
      <Fact name="Expires">
        <Moment at={message.expiresAt} isAbsolute />
      </Fact>
      {rate != null && <Fact name="Speed limit">{formatNoun(rate, 'device')} per second</Fact>}
      <Exceptions message={message} />
      <Template content={message.content} />
      {users === null && (
        <Fact name="Who gets it">
          <Audience message={message} />
        </Fact>
      )}
      <Fact name="Channel">
        <Typed text={channel} isMono />
      </Fact>
      {users !== null && (
        <Fact name={users.length === 1 ? 'User' : `${formatCount(users.length)} users`}>
          {users.slice(0, MOST_USERS).map((user, n) => (
            <span key={user}>
              {n > 0 && ', '}
              <Typed text={user} />
            </span>
          ))}
          {users.length > MOST_USERS && ` and ${formatCount(users.length - MOST_USERS)} more`}
        </Fact>
      )}
      {trackId !== null && <Id name="Track id" id={trackId} />}
      {clientId !== null && <Id name="Client id" id={clientId} />}
      {batchId !== null && <Id name="Batch" id={batchId} />}
      <Id name="Message id" id={message.id} />
    </dl>
  );
}

/** The rules as they were when the message was accepted: a saved segment may have others by now. */
function Audience({ message }: { message: MessageResponse }): ReactNode {
  if (message.target === undefined && message.segment === undefined) return 'Everybody in the channel';
  return <Typed text={saySegment(readRules(message))} lines={6} />;
}

/** The exceptions of a message from quiet hours and frequency caps. */
function Exceptions({ message: { ignoreQuietHours, content } }: { message: MessageResponse }): ReactNode {
  const { ignoreFrequencyCap = false, countsTowardsCap = false } = content;
  return (
    <>
      {ignoreQuietHours && <Fact name="Quiet hours">Ignored</Fact>}
      {(ignoreFrequencyCap || countsTowardsCap) && (
        <Fact name="Frequency caps">{ignoreFrequencyCap ? 'Ignored' : 'Counts like a campaign'}</Fact>
      )}
    </>
  );
}

function Template({ content: { templateId, templateVersion } }: Pick<MessageResponse, 'content'>): ReactNode {
  if (templateId === undefined) return null;
  return (
    <Fact name="Template">
      <Anchor component={Link} href={`/templates/${templateId}`} inherit>
        Version {templateVersion}
      </Anchor>
    </Fact>
  );
}

function Id({ name, id }: { name: string; id: string }): ReactNode {
  return (
    <Fact name={name}>
      <Typed text={id} isMono /> <CopyButton value={id} label={`Copy the ${name.toLowerCase()}`} />
    </Fact>
  );
}
