import { Problems } from './language/problems';
import { readSegment } from './language/read-segment';
import { readTarget } from './language/read-target';
import type { Group } from './language/rule';

/**
 * Reads and validates `target` and `segment` of a request; given both, both must hold.
 *
 * @returns a group whose conditions are all within the language, text in NFC
 * @throws InvalidRequest naming every bad place at once, in the caller's own field names (`segment.all[2].value`); also when
 * neither is given, or one that would reach everybody (`{}`, `{ all: [] }`)
 */
export function parseRules(body: { target?: unknown; segment?: unknown }): Group {
  const problems = new Problems();
  const groups = [
    body.target === undefined ? null : readTarget(body.target, problems),
    body.segment === undefined ? null : readSegment(body.segment, problems),
  ];
  if (body.target === undefined && body.segment === undefined)
    problems.add('target', 'is required when there is no segment');
  problems.throwIfAny();
  return { kind: 'group', all: groups.filter((group) => group !== null) };
}
