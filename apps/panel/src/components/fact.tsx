import type { ReactNode } from 'react';

/** One thing that is known, in a `<dl>`: its name, and what it is. */
export function Fact({ name, children }: { name: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
