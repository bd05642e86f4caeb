import { Inject, Injectable } from '@nestjs/common';
import {
  type AskedDevices,
  countMatches,
  countUsers,
  explainDevices,
  explainRules,
  type RulesSelection,
} from '@postrider/audience';
import type {
  CountGroupRequest,
  ExplainGroupRequest,
  GroupRequest,
  SegmentCountResponse,
  SegmentExplanationResponse,
} from '@postrider/contracts';
import { type Clock, DomainError, isUuid } from '@postrider/domain';
import { SegmentsRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { type HeavyCaller, HeavyReads, LOOK_LIMIT_MS } from '../heavy-reads/heavy-reads.service';
import { unknownInstallation } from '../devices/show-installation';
import { fillInSavedRules } from './saved-rules';

/** How many of a user's devices are explained. */
const MOST_DEVICES = 100;

/** Counts and explains groups of devices without sending to them. Reads only. */
@Injectable()
export class MeasureGroups {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly segments: SegmentsRepository,
    private readonly heavyReads: HeavyReads,
  ) {}

  /**
   * Counts a group like the audience of a message, and its users.
   *
   * @throws InvalidRequest for an unknown saved segment; and the errors of `HeavyReads`
   */
  async count(caller: HeavyCaller, request: CountGroupRequest): Promise<SegmentCountResponse> {
    const selection = await this.selectionOf(caller.appId, request);
    const startedAt = performance.now();
    const { waiting, ...counted } = await this.heavyReads.run(caller, { limitMs: LOOK_LIMIT_MS }, async (executor) => ({
      ...(await countMatches(executor, selection)),
      ...(request.users ? { users: await countUsers(executor, selection) } : {}),
    }));
    const waitingForVendors = waiting.length > 0 ? { waitingForVendors: waiting } : {};
    return { ...counted, ...waitingForVendors, tookMs: since(startedAt) };
  }

  /**
   * Counts a group rule by rule, and explains for one user's devices, or for one device, why they are in it or not.
   *
   * @throws like `count`; and DomainError NOT_FOUND for an unknown user or installation
   */
  async explain(caller: HeavyCaller, request: ExplainGroupRequest): Promise<SegmentExplanationResponse> {
    const selection = await this.selectionOf(caller.appId, request);
    const asked = askedDevices(request);
    const startedAt = performance.now();
    const { explanation, explained } = await this.heavyReads.run(
      caller,
      { limitMs: LOOK_LIMIT_MS },
      async (executor) => ({
        explained: asked && (await explainDevices(executor, selection, asked, MOST_DEVICES)),
        explanation: await explainRules(executor, selection),
      }),
    );
    if (explained?.length === 0) {
      throw asked && 'userId' in asked
        ? new DomainError('NOT_FOUND', 'There is no such user, or they have no device')
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

  /** The group of a request, with the rules of a saved segment filled in. @throws InvalidRequest for an unknown one */
  async selectionOf(appId: string, { target, segment, channel }: GroupRequest): Promise<RulesSelection> {
    const rules = { ...(target ? { target } : {}), ...(segment ? { segment } : {}) };
    const who = { kind: 'rules' as const, ...(await fillInSavedRules(this.segments, appId, rules)) };
    return { appId, acceptedAt: this.clock.now(), channel, reach: 'any', who };
  }
}

function askedDevices({ userId, installationId }: ExplainGroupRequest): AskedDevices | null {
  if (userId !== undefined) return { userId };
  if (installationId === undefined) return null;
  if (!isUuid(installationId)) throw unknownInstallation();
  return { installationId };
}

function since(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 10) / 10;
}
