import { type ComponentType, type ReactNode, useMemo, useState } from 'react';
import { ComposeContext, useCompose } from './compose-context';
import { ComposeReader } from './compose-reader';

/**
 * A part of the compose page, which is drawn anew only when something changes that it has read. Each letter changes one field of dozens,
 * and what a menu or a text box of its own height costs adds up.
 */
export function ComposePart({ of: Content }: { of: ComponentType }): ReactNode {
  const compose = useCompose();
  const [reader] = useState(() => new ComposeReader(compose));
  const content = useMemo(() => <Content />, [Content]);
  return <ComposeContext value={reader.of(compose)}>{content}</ComposeContext>;
}
