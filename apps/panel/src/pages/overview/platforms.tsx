import type { ReactNode } from 'react';
import type { OverviewResponse } from '../../api/generated/document';
import { EmptyState } from '../../components/empty-state';
import { formatCount } from '../../components/format';
import { IconDeviceMobile } from '../../components/icons';
import { Typed } from '../../components/typed';
import classes from './overview-page.module.css';

type ByType = NonNullable<OverviewResponse['devices']>['byType'];

const NAMES: Partial<Record<string, string>> = { android: 'Android', ios: 'iOS', web: 'Web', huawei: 'Huawei' };
const MOST_SHOWN = 6;

/** How many devices of each platform there are, and how many of them can be reached. */
export function Platforms({ byType, total }: { byType: ByType; total: number }): ReactNode {
  if (total === 0) {
    return (
      <EmptyState icon={IconDeviceMobile} title="No device yet">
        Devices appear here when your app registers them.
      </EmptyState>
    );
  }
  const largest = Math.max(...byType.map((type) => type.total));
  return (
    <>
      <ul className={classes.platforms}>
        {byType.slice(0, MOST_SHOWN).map(({ deviceType, total: all, reachable }) => (
          <li key={deviceType ?? ''}>
            <div className={classes.platformName}>
              <Typed text={nameOf(deviceType)} lines={1} />
              <span>{formatCount(all)}</span>
            </div>
            <div
              className={classes.track}
              role="img"
              aria-label={`${formatCount(reachable)} of ${formatCount(all)} reachable`}
            >
              <span className={classes.reachable} style={{ width: `${(reachable / largest) * 100}%` }} />
              <span className={classes.unreachable} style={{ width: `${((all - reachable) / largest) * 100}%` }} />
            </div>
          </li>
        ))}
      </ul>
      <div className={classes.legend} aria-hidden>
        <span>
          <i className={`${classes.swatch ?? ''} ${classes.reachable ?? ''}`} />
          reachable
        </span>
        <span>
          <i className={`${classes.swatch ?? ''} ${classes.unreachable ?? ''}`} />
          not reachable: no usable token, no own connection
        </span>
      </div>
    </>
  );
}

function nameOf(deviceType: string | null): string {
  if (deviceType === null) return 'Not said';
  return NAMES[deviceType] ?? deviceType;
}
