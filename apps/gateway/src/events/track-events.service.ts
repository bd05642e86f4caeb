import { Inject, Injectable } from '@nestjs/common';
import type { TrackingRequest } from '@postrider/contracts';
import { type Clock, covers, DAY_MS, type ErrorDetail, InvalidRequest, isUuid } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  IdempotencyRepository,
  inRetriedTransaction,
  TooManyAttributes,
  type TrackedEvent,
  TrackedEventsRepository,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { OwnerLookups } from '../devices/registration/owner-lookups.service';
import { unknownInstallation } from '../devices/show-installation';
import { findReplay, ofDevice, type OnceAnswer, runOnce } from '../messages/sending/idempotency';
import { type Located, type TrackingClaim, TrackingRight } from './tracking-right.service';

/** The number of recorded events. */
type Tracked = { n: number };

/** How the problems of a request are worded. */
interface RequestForm {
  pathOf(index: number, field: string): string;
  /** The problem of an unknown installation. */
  unknown(index: number): ErrorDetail;
}

/**
 * Records events that backends track, and devices for their own user: all of a request or nothing, in one transaction,
 * which is committed when this returns.
 */
@Injectable()
export class TrackEvents {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly events: TrackedEventsRepository,
    private readonly idempotency: IdempotencyRepository,
    private readonly owners: OwnerLookups,
    private readonly right: TrackingRight,
  ) {}

  /** @throws DomainError NOT_FOUND for an unknown installation; like `trackAll` */
  async track(claim: TrackingClaim, request: TrackingRequest): Promise<OnceAnswer<Tracked>> {
    return this.#track(claim, [request], {
      pathOf: (_, field) => field,
      unknown: () => {
        throw unknownInstallation();
      },
    });
  }

  /**
   * @throws InvalidRequest for a time more than a day ahead and for unknown installations, each named by its index; for too many
   *   attributes of one user; DomainError FORBIDDEN or UNAUTHORIZED for what a device's token may not track; CONFLICT or
   *   IDEMPOTENCY_KEY_REUSED (see `runOnce`)
   */
  async trackAll(claim: TrackingClaim, requests: readonly TrackingRequest[]): Promise<OnceAnswer<Tracked>> {
    const pathOf = (index: number, field: string): string => `[${index}].${field}`;
    const message = 'is not an installation of this application';
    return this.#track(claim, requests, {
      pathOf,
      unknown: (index) => ({ path: pathOf(index, 'installationId'), message }),
    });
  }

  async #track(
    claim: TrackingClaim,
    requests: readonly TrackingRequest[],
    form: RequestForm,
  ): Promise<OnceAnswer<Tracked>> {
    const now = this.clock.now();
    const { appId, scopes } = claim.caller;
    const located = await this.#locate(appId, requests);
    for (const one of located) await this.right.check(claim, one);
    const sent = claim.idempotencyKey;
    const key = sent ? { ...(covers(scopes, 'send') ? sent : ofDevice(sent)), appId, now } : null;
    const { idempotency } = this;
    const replay = key && (await findReplay<Tracked>({ executor: this.database, idempotency }, key));
    if (replay) return replay;
    refuse(problemsOf(located, now, form));
    const events = located.map((one): TrackedEvent => eventOf(one, now));
    return inRetriedTransaction(this.database, (executor) =>
      runOnce({ executor, idempotency }, key, async (): Promise<Tracked> => {
        await this.events.record(executor, appId, events, now).catch((error: unknown) => {
          throw error instanceof TooManyAttributes ? underUser(error, events, located, form) : error;
        });
        return { n: events.length };
      }),
    );
  }

  async #locate(appId: string, requests: readonly TrackingRequest[]): Promise<Located[]> {
    return Promise.all(
      requests.map(async (request) => {
        const { installationId } = request;
        const isKnowable = installationId !== null && isUuid(installationId);
        return { request, owner: isKnowable ? await this.owners.find(appId, installationId) : null };
      }),
    );
  }
}

function problemsOf(located: readonly Located[], now: Date, { pathOf, unknown }: RequestForm): ErrorDetail[] {
  const latest = now.getTime() + DAY_MS;
  return located.flatMap(({ request: { at, installationId }, owner }, index): ErrorDetail[] => {
    const problems = installationId !== null && owner === null ? [unknown(index)] : [];
    if (at === null || at.getTime() <= latest) return problems;
    return [...problems, { path: pathOf(index, 'eventTime'), message: 'must not be more than a day in the future' }];
  });
}

function refuse(problems: readonly ErrorDetail[]): void {
  if (problems.length > 0) throw new InvalidRequest(problems.slice(0, 1_000));
}

/** Names the first event of the user who would have too many attributes, by the field that names the user. */
function underUser(
  refusal: TooManyAttributes,
  events: readonly TrackedEvent[],
  located: readonly Located[],
  { pathOf }: RequestForm,
): InvalidRequest {
  const index = events.findIndex(({ userId }) => userId === refusal.userId);
  return refusal.under(pathOf(index, located[index]?.request.installationId === null ? 'userId' : 'installationId'));
}

function eventOf({ request, owner }: Located, now: Date): TrackedEvent {
  const { name, value, at, revenue } = request;
  return {
    userId: owner?.userId ?? request.userId ?? '',
    deviceId: owner?.deviceId ?? null,
    behavior: { name, value, at: at ?? now, revenue },
  };
}
