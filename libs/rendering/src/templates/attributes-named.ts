import type { Variable } from 'liquidjs';

/** What liquidjs reads from an object beside its members: it takes the others to answer. */
const COMPUTED: readonly unknown[] = ['size', 'first', 'last'];

/**
 * The attributes that these uses of the variable `user` may read: `user.purchase.count` is `purchase.count`, or `count` in
 * `purchase`.
 *
 * @returns null when that shows only when it is rendered
 */
export function attributesNamed(uses: readonly Variable[]): ReadonlySet<string> | null {
  const names = new Set<string>();
  for (const { segments } of uses) {
    const path = segments.slice(1).filter((segment) => typeof segment === 'string');
    const [first] = path;
    if (first === undefined || path.length < segments.length - 1 || COMPUTED.includes(first)) return null;
    names.add(first).add(path.join('.'));
  }
  return names;
}
