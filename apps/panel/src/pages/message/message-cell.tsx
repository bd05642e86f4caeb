import type { MessageContent } from '@postrider/domain';
import type { ReactNode } from 'react';
import { Typed } from '../../components/typed';
import classes from './message-cell.module.css';
import { headlineOf, sublineOf } from './message-text';

/** A message in a list: what it says, in two lines. */
export function MessageCell({ content, trackId }: { content: MessageContent; trackId?: string | null }): ReactNode {
  const subline = sublineOf(content);
  return (
    <span className={classes.cell}>
      <span className={classes.headline}>
        <Typed text={headlineOf(content)} lines={1} />
      </span>
      <span className={classes.subline}>
        {trackId ? <Typed text={trackId} isMono lines={1} /> : subline && <Typed text={subline} lines={1} />}
      </span>
    </span>
  );
}
