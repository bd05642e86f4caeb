import type { ReactNode } from 'react';
import { spellInvisible } from './balance-bidi';
import { CopyButton } from './copy-button';
import classes from './json-view.module.css';

const LONGEST = 20_000;

/** Data as it is, indented, as text that can be copied. A very long one is shown in part and copied whole. */
export function JsonView({ value, label }: { value: unknown; label: string }): ReactNode {
  const text = spellInvisible(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  return (
    <div className={classes.view}>
      <div className={classes.copy}>
        <CopyButton value={text} label={`Copy ${label}`} />
      </div>
      <pre tabIndex={0} aria-label={label} dir="ltr" className={classes.text}>
        {text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters`}
      </pre>
    </div>
  );
}
