import type { ReactNode } from 'react';
import { formatCount } from '../../components/format';
import { Typed } from '../../components/typed';
import classes from './message-page.module.css';
import { errorInWords, vendorName } from './words';

/** Why devices were skipped, the most frequent first: in words, how many, and of which vendors. */
export function SkippedTotals(props: {
  skipped: Record<string, number>;
  byVendor: Record<string, Record<string, number>>;
}): ReactNode {
  const sorted = Object.entries(props.skipped).sort(([, one], [, other]) => other - one);
  return (
    <ul className={classes.errors} aria-label="Skipped devices by reason">
      {sorted.map(([reason, count]) => (
        <li key={reason} className={classes.error}>
          <span>
            {errorInWords(reason) ?? <Typed text={reason} />}
            <span className={classes.meaning}>{vendorsOf(reason, props.byVendor)}</span>
          </span>
          <strong>{formatCount(count)}</strong>
        </li>
      ))}
    </ul>
  );
}

function vendorsOf(reason: string, byVendor: Record<string, Record<string, number>>): string {
  return Object.entries(byVendor)
    .flatMap(([vendor, reasons]) => (reasons[reason] ? [`${vendorName(vendor)}: ${formatCount(reasons[reason])}`] : []))
    .join(' · ');
}
