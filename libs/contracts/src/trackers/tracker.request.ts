import { BodyReader } from '../fields/body-reader';
import { readCursor } from '../reading/cursor';

const MOST_HOSTS = 100;
const LONGEST_LINK = 4_096;
const MOST = 200;
const DEFAULT = 50;
/** What the links of a tracker are by platform. */
const PLATFORMS = ['ios', 'android', 'web'] as const;

/** Where a tracker leads on a kind of device that has no app for its link. */
export type TrackerPlatforms = Partial<Record<(typeof PLATFORMS)[number], string>>;

/** What an owner chooses for a tracker, not judged yet; undefined: not said, null: taken away. */
export interface TrackerRequest {
  name?: string;
  deepLink?: string | null;
  destination?: string | null;
  redirect?: string | null;
  platforms?: TrackerPlatforms;
  allowedHosts?: string[];
}

/** Reads the body of `POST /api/trackers`. @throws InvalidRequest naming every bad field */
export function readNewTracker(body: unknown): TrackerRequest & { name: string } {
  const fields = new BodyReader(body);
  fields.require('name');
  const request = readTracker(fields);
  fields.finish();
  return { ...request, name: request.name ?? '' };
}

/** Reads the body of `PATCH /api/trackers/:id`. @throws InvalidRequest naming every bad field */
export function readTrackerChanges(body: unknown): TrackerRequest {
  const fields = new BodyReader(body);
  const request = readTracker(fields);
  fields.finish();
  return request;
}

function readTracker(fields: BodyReader): TrackerRequest {
  const request: TrackerRequest = {
    name: fields.name('name') ?? undefined,
    deepLink: fields.text('deepLink', LONGEST_LINK),
    destination: fields.text('destination', LONGEST_LINK),
    redirect: fields.text('redirect', LONGEST_LINK),
    platforms: readPlatforms(fields),
    allowedHosts:
      fields.list<string>('allowedHosts', MOST_HOSTS, (value) =>
        typeof value === 'string' && value.length <= 255 ? { value } : { problem: 'must be the name of a host' },
      ) ?? [],
  };
  const said = new Set(fields.names());
  return Object.fromEntries(Object.entries(request).filter(([name, value]) => said.has(name) && value !== undefined));
}

function readPlatforms(fields: BodyReader): TrackerPlatforms {
  const value = fields.raw('platforms');
  if (value === undefined) return {};
  const platforms = new BodyReader(value, 'platforms', fields.problems);
  for (const name of Object.keys(platforms.rest(new Set<string>(PLATFORMS)))) {
    platforms.reject(name, `is none of ${PLATFORMS.join(', ')}`);
  }
  const links = PLATFORMS.map((name) => [name, platforms.text(name, LONGEST_LINK)] as const);
  return Object.fromEntries(links.filter(([, link]) => link !== null));
}

/** The query of `GET /api/trackers`. */
export interface ListTrackersRequest {
  beforeId: string | null;
  limit: number;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListTrackers(query: unknown): ListTrackersRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    beforeId: fields.optional('cursor', (value) => readCursor(value, /^[A-Za-z0-9]{1,64}$/)),
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
  };
  fields.finish();
  return request;
}
