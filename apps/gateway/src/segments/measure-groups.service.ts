import { Inject, Injectable } from '@nestjs/common';
import {
  type AskedDevices,
  countMatches,
  countUsers,
  explainDevices,
  explainRules,
  type RulesSelection,
} from '@postrider/audience';
import type { GroupRequest, SegmentCountResponse, SegmentExplanationResponse } from '@postrider/contracts';
import { type Clock, DomainError } from '@postrider/domain';
import { type Database, DATABASE, type Executor, sqlState, withTimeLimit } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { isUuid, unknownInstallation } from '../installations/installation-id';
import { fillInSavedRules } from './fill-in-saved-rules';

/** No caller waits longer, and no question holds up the database longer. */
const LIMIT_MS = 15_000;
const QUERY_CANCELLED = '57014';

/** How many of a user's devices are explained. */
const MOST_DEVICES = 100;

/** Counts and explains groups of devices that nothing is sent to. Reads only. */
@Injectable()
export class MeasureGroups {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Counts a group as a message to it would be counted, and its users.
   *
   * @throws InvalidRequest for an unknown saved segment; DomainError UNAVAILABLE when it takes too long
   */
  async count(appId: string, request: GroupRequest): Promise<SegmentCountResponse> {
    const selection = await this.selectionOf(appId, request);
    const startedAt = performance.now();
    const [counted, users] = await Promise.all([
      this.#ask((executor) => countMatches(executor, selection)),
      request.countsUsers ? this.#ask((executor) => countUsers(executor, selection)) : undefined,
    ]);
    return { ...counted, ...(users === undefined ? {} : { users }), tookMs: since(startedAt) };
  }

  /**
   * Counts a group rule by rule, and says of one user's devices, or of one device, why they are in it or not.
   *
   * @throws as `count`; and DomainError NOT_FOUND for an unknown user or installation
   */
  async explain(appId: string, request: GroupRequest): Promise<SegmentExplanationResponse> {
    const selection = await this.selectionOf(appId, request);
    const asked = askedDevices(request);
    const startedAt = performance.now();
    const [explanation, explained] = await Promise.all([
      this.#ask((executor) => explainRules(executor, selection)),
      asked && this.#ask((executor) => explainDevices(executor, selection, asked, MOST_DEVICES)),
    ]);
    if (explained?.length === 0) {
      throw asked && 'userId' in asked
        ? new DomainError('NOT_FOUND', 'There is no such user, or he has no device')
        : unknownInstallation();
    }
    const { count, devices, rules } = explanation;
    return {
      count,
      devices,
      rules: rules.map((rule) => ({ ...rule, removes: rule.without - devices })),
      ...(explained ? { explained } : {}),
      tookMs: since(startedAt),
    };
  }

  /** The group of a request, a saved segment filled in. @throws InvalidRequest for an unknown one */
  async selectionOf(
    appId: string,
    { rules, channel }: Pick<GroupRequest, 'rules' | 'channel'>,
  ): Promise<RulesSelection> {
    const who = { kind: 'rules' as const, ...(await fillInSavedRules(this.database, appId, rules)) };
    return { appId, acceptedAt: this.clock.now(), channel, reach: 'any', who };
  }

  async #ask<T>(read: (executor: Executor) => Promise<T>): Promise<T> {
    try {
      return await withTimeLimit(this.database, LIMIT_MS, read);
    } catch (error) {
      if (sqlState(error) !== QUERY_CANCELLED) throw error;
      const message = `Looking at this group took longer than ${LIMIT_MS / 1_000} seconds; use fewer rules or narrower ones`;
      throw new DomainError('UNAVAILABLE', message, { retryAfterSeconds: 30 });
    }
  }
}

function askedDevices({ userId, installationId }: GroupRequest): AskedDevices | null {
  if (userId !== null) return { userId };
  if (installationId === null) return null;
  if (!isUuid(installationId)) throw unknownInstallation();
  return { installationId };
}

function since(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 10) / 10;
}
