import type { ReactNode } from 'react';
import type { MessageResponse } from '../../api/generated/document';
import { formatCount, formatShare } from '../../components/format';
import classes from './funnel.module.css';
import { funnelOf } from './totals';

/** How far the devices of a message came, step by step. */
export function Funnel({ message }: { message: MessageResponse }): ReactNode {
  const steps = funnelOf(message);
  return (
    <ol className={classes.funnel}>
      {steps.map(({ name, count, explanation }) => (
        <li key={name} className={classes.step}>
          <span className={classes.name}>
            {name}
            <span className={classes.explanation}>{explanation}</span>
          </span>
          <span className={classes.track} aria-hidden>
            <span className={classes.bar} style={{ width: `${widthOf(count, message.recipients)}%` }} />
          </span>
          <span className={classes.count}>
            {formatCount(count)}
            <span className={classes.share}>{formatShare(count, message.recipients)}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** What is not nothing can be seen. */
function widthOf(count: number, whole: number): number {
  return count === 0 || whole === 0 ? 0 : Math.max(0.6, (count / whole) * 100);
}
