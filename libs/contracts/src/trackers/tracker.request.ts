import { isJsonObject } from '@postrider/domain';
import { Example, fieldOf, Optional, Removable, SaysOfClass } from '../validation/field';
import { IsFlag, IsListOf, IsName, IsNamePart, IsText } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';
import type { ListReading, Reading } from '../validation/reading';
import { readRequest } from '../validation/read-request';
import { LONGEST_LINK } from '../validation/values';

const MOST_HOSTS = 100;
const LONGEST_HOST = 255;

const SAMPLE = {
  deepLink: 'shop://sale',
  destination: 'https://shop.example/sale',
  platforms: { ios: 'https://apps.apple.com/app/id1', android: 'https://play.google.com/store/apps/details?id=shop' },
  allowedHosts: ['*.shop.example'],
};

/** Where a tracker leads on a kind of device that has no app for its link. */
@SaysOfClass({ additionalProperties: false })
export class TrackerPlatforms {
  @Optional() @IsText(LONGEST_LINK) ios?: string;
  @Optional() @IsText(LONGEST_LINK) android?: string;
  @Optional() @IsText(LONGEST_LINK) web?: string;
}

const PLATFORMS: readonly (keyof TrackerPlatforms)[] = ['ios', 'android', 'web'];

/** The settings of a tracker, not checked yet. Absent: unchanged; null: removed. */
export class TrackerSettingsRequest {
  @Optional()
  @IsText(LONGEST_LINK, 'the default for `deep_link` in a click')
  @Removable(null)
  deepLink?: string | null;

  @Optional()
  @IsText(LONGEST_LINK, 'the page to open if no other one is set')
  @Removable(null)
  destination?: string | null;

  @Optional()
  @IsText(LONGEST_LINK, 'the default for the parameter `redirect` in a click')
  @Removable(null)
  redirect?: string | null;

  @Optional() @IsPlatforms() @Removable({}) platforms?: Pick<TrackerPlatforms, keyof TrackerPlatforms>;

  @Optional()
  @IsListOf(readHost, {
    items: {
      type: 'string',
      maxLength: LONGEST_HOST,
      description: 'a host that `redirect` and a web `deep_link` may lead to: `shop.example`, `*.shop.example`',
    },
    max: MOST_HOSTS,
  })
  @Removable([])
  allowedHosts?: string[];
}

/** The body of `POST /api/trackers`. */
@Example({ name: 'Autumn sale', ...SAMPLE })
export class NewTrackerRequest extends TrackerSettingsRequest {
  @IsName() name!: string;
}

/** The body of `PATCH /api/trackers/:id`. */
@Example({ name: 'Winter sale', redirect: null })
export class TrackerChangesRequest extends TrackerSettingsRequest {
  @Optional() @IsName() name?: string;
}

/**
 * The fields that a request has. An instance holds absent ones as undefined, and spreading it would overwrite fields
 * with them.
 */
export function saidFields<Request extends object>(request: Request): Pick<Request, keyof Request> {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as Request;
}

/** The query of `GET /api/trackers`. */
export class TrackersQuery {
  @Optional() @IsNamePart() name?: string;
  @IsCursor(/^\d{1,13} [A-Za-z0-9]{1,64}$/) cursor?: string;
  @IsLimit(200, 50) limit!: number;
}

/** The body of `POST installations/deferredDeepLink`: what an app did with its deferred link. */
@Example({ installationId: '01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d', opened: true })
export class DeferredLinkRequest {
  @IsName() installationId!: string;
  @IsFlag('true if the app opened it') opened!: boolean;
}

function IsPlatforms(): PropertyDecorator {
  return fieldOf({
    name: 'isPlatforms',
    read: readPlatforms,
    schema: {
      type: () => TrackerPlatforms,
      description: 'the pages of the app stores, by platform; `{click_token}` in a link becomes the token of the click',
    },
  });
}

function readPlatforms(value: unknown): ListReading<TrackerPlatforms> {
  if (!isJsonObject(value)) return { problem: 'must be an object' };
  const { request, problems } = readRequest(TrackerPlatforms, value);
  const known: readonly string[] = PLATFORMS;
  const others = Object.keys(value).filter((name) => value[name] !== null && !known.includes(name));
  problems.push(...others.map((path) => ({ path, message: `is none of ${PLATFORMS.join(', ')}` })));
  if (problems.length === 0) return { value: saidFields(request) };
  return { problems: problems.map(({ path, message }) => ({ path: `.${path}`, message })) };
}

function readHost(value: unknown): Reading<string> {
  const isHost = typeof value === 'string' && value.length <= LONGEST_HOST;
  return isHost ? { value } : { problem: 'must be the name of a host' };
}
