import type { ReactNode } from 'react';
import classes from './stat.module.css';

/** One number with its name and an explanation. */
export function Stat({ label, value, hint }: { label: string; value: ReactNode; hint?: ReactNode }): ReactNode {
  return (
    <div className={`card ${classes.stat ?? ''}`}>
      <div className={classes.label}>{label}</div>
      <div className={classes.value}>{value}</div>
      {hint !== undefined && <div className={classes.hint}>{hint}</div>}
    </div>
  );
}

/** Several of them beside each other, as many as fit. */
export function Stats({ children }: { children: ReactNode }): ReactNode {
  return <div className={classes.stats}>{children}</div>;
}

/** One fact in a `<dl>`: its name and its value. */
export function Fact({ name, children }: { name: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
