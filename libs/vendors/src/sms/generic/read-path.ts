const STEP = /[^.[\]]+/g;

/** What stands at `path` (`data.messages[0].id`) in a value; undefined when there is nothing. */
export function readPath(value: unknown, path: string): unknown {
  let found = value;
  for (const [step] of path.replace(/^\$\.?/, '').matchAll(STEP)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}
