import { type ComponentType, lazy } from 'react';

/** A page that is fetched when it is first shown: `lazyPage(() => import('../pages/x/x-page'), 'XPage')`. */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType {
  return lazy<ComponentType>(async () => ({ default: (await load())[name] }));
}
