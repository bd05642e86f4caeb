import type { ErrorDetail } from '@postrider/domain';

/** The spellings of query parameters, by their lower case. */
export type QuerySpellings = ReadonlyMap<string, string>;

/** The spellings of `names`. */
export function querySpellings(names: Iterable<string>): QuerySpellings {
  return new Map([...names].map((name) => [name.toLowerCase(), name]));
}

/**
 * Finds problems in the URL of a request to the API: NUL and bad encodings anywhere, and names of query parameters that
 * differ from one of ours only by case, because `?dryrun=true` must not really send.
 *
 * @param url behind its base address
 * @param query as Fastify parsed it
 * @param route in Fastify's spelling (`/api/a/:id`): its parameters name the parts of the path
 * @param spellings called if the query has a name: they are read when all routes are there
 */
export function inspectUrl(
  { url, query, route }: { url: string; query: unknown; route: string },
  spellings: () => QuerySpellings,
): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const mark = url.indexOf('?');
  if (url.includes('%')) {
    inspectPath(mark < 0 ? url : url.slice(0, mark), route, details);
    if (mark >= 0) inspectQuery(url.slice(mark + 1), details);
  }
  if (mark < 0) return details;
  for (const name of Object.keys(query as object)) {
    const spelled = spellings().get(name.toLowerCase());
    if (spelled !== undefined && spelled !== name) details.push({ path: name, message: `is spelled ${spelled}` });
  }
  return details;
}

const UNREADABLE = 'must be percent-encoded UTF-8 without NUL';
const LONGEST_NAME = 200;

function inspectPath(path: string, route: string, details: ErrorDetail[]): void {
  const names = route.split('/');
  for (const [place, part] of path.split('/').entries()) {
    if (isReadable(part)) continue;
    const name = names[place]?.startsWith(':') === true ? names[place].slice(1) : part.slice(0, LONGEST_NAME);
    details.push({ path: name, message: UNREADABLE });
  }
}

function inspectQuery(query: string, details: ErrorDetail[]): void {
  for (const part of query.split('&')) {
    if (!isReadable(part)) details.push({ path: nameOf(part), message: UNREADABLE });
  }
}

/** A lone surrogate cannot be written in UTF-8, so it is a bad encoding too. */
function isReadable(part: string): boolean {
  if (!part.includes('%')) return true;
  try {
    return !decodeURIComponent(part).includes('\0');
  } catch {
    return false;
  }
}

function nameOf(part: string): string {
  const [name = ''] = part.split('=');
  return isReadable(name) ? decodeURIComponent(name) : name.slice(0, LONGEST_NAME);
}
