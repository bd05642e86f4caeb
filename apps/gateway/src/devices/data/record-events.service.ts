import { Inject, Injectable } from '@nestjs/common';
import { behaviorsOf, deviceEventsOf, type DeviceEventsRequest, receiptsOf } from '@postrider/contracts';
import { type Clock, covers, isUuid } from '@postrider/domain';
import { type LinkOpen, ReceiptRecorder, ReportedEventsRepository, TooManyAttributes } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { OwnerLookups } from '../registration/owner-lookups.service';
import { UserIdentity } from '../registration/user-identity.service';
import { unknownInstallation } from '../show-installation';
import type { AttributesClaim } from './user-attributes.service';

/**
 * Records what devices report: receipts, opened links, tracked behaviour. If a request fails, receipts and links may be
 * recorded already; repeating it has the same result. Behaviour comes last and in one transaction, because events
 * without a time count with every report.
 */
@Injectable()
export class RecordEvents {
  constructor(
    private readonly events: ReportedEventsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly owners: OwnerLookups,
    private readonly recorder: ReceiptRecorder,
    private readonly identity: UserIdentity,
  ) {}

  /** @throws DomainError NOT_FOUND if the user has no such installation, FORBIDDEN for a protected attribute */
  async record({ caller: { appId, scopes }, userHash }: AttributesClaim, request: DeviceEventsRequest): Promise<void> {
    const { installationId, userId } = request;
    if (!isUuid(installationId)) throw unknownInstallation();
    const owner = await this.owners.find(appId, installationId);
    if (owner?.userId !== userId) throw unknownInstallation();
    const events = deviceEventsOf(request);
    const receipts = receiptsOf(events);
    const opens = receipts.flatMap(({ link, at }): LinkOpen[] => (link === null ? [] : [{ link, at }]));
    if (opens.length > 0) await this.events.recordLinkOpens(owner, opens, this.clock.now());
    if (receipts.length > 0) await this.recorder.record(appId, owner.deviceId, receipts);
    const behaviors = behaviorsOf(events);
    if (behaviors.length === 0) return;
    const isProved = covers(scopes, 'server') || (await this.identity.isShown(appId, userId, userHash));
    await this.events.recordBehavior(owner, behaviors, this.clock.now(), isProved).catch((error: unknown) => {
      throw error instanceof TooManyAttributes ? error.under('eventData') : error;
    });
  }
}
