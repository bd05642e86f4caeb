import type { ReactNode } from 'react';
import type { MessageContentResponse } from '../../api/generated/document';
import { Typed } from '../../components/typed';
import classes from './message-cell.module.css';
import { headlineOf, sublineOf } from './message-text';

/** A message in a list: what it says, in two lines. */
export function MessageCell({
  content,
  trackId,
}: {
  content: MessageContentResponse;
  trackId?: string | null;
}): ReactNode {
  return <NamedCell name={headlineOf(content)} trackId={trackId} subline={sublineOf(content)} />;
}

/** What is sent under a name: the name, and below it the track id, else another line. */
export function NamedCell(props: {
  name: string;
  trackId?: string | null | undefined;
  subline?: string | null;
}): ReactNode {
  const { name, trackId, subline } = props;
  return (
    <span className={classes.cell}>
      <span className={classes.headline}>
        <Typed text={name} lines={1} />
      </span>
      <span className={classes.subline}>
        {trackId ? <Typed text={trackId} isMono lines={1} /> : subline && <Typed text={subline} lines={1} />}
      </span>
    </span>
  );
}
