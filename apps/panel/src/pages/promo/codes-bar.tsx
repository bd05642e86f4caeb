import type { ReactNode } from 'react';
import type { PromoSetResponse } from '../../api/generated/document';
import { formatCount } from '../../components/format';
import classes from './promo.module.css';

/** How much of a set is left. */
export function CodesBar({ set }: { set: PromoSetResponse }): ReactNode {
  const { total, remaining, isLow } = set;
  const share = total === 0 ? 0 : (remaining / total) * 100;
  return (
    <div>
      <div className={classes.figures}>
        {formatCount(remaining)} <span className={classes.of}>of {formatCount(total)}</span>
      </div>
      <div className={classes.bar} aria-hidden>
        <div className={classes.fill} data-low={isLow || undefined} style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}
