import type { ReactNode } from 'react';
import { formatCount } from '../../components/format';
import { Typed } from '../../components/typed';
import classes from './message-page.module.css';
import { errorInWords } from './words';

/** The errors of a message, the most frequent first: the code, what it means, how often. */
export function ErrorTotals({ errors }: { errors: Record<string, number> }): ReactNode {
  const sorted = Object.entries(errors).sort(([, one], [, other]) => other - one);
  return (
    <ul className={classes.errors}>
      {sorted.map(([code, count]) => (
        <li key={code} className={classes.error}>
          <span>
            <Typed text={code} isMono />
            <span className={classes.meaning}>
              {errorInWords(code) ?? 'Its devices below say what the vendor answered.'}
            </span>
          </span>
          <strong>{formatCount(count)}</strong>
        </li>
      ))}
    </ul>
  );
}
