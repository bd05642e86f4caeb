import { Inject, Injectable } from '@nestjs/common';
import type { DeviceEvent, DeviceEventsRequest } from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type Executor,
  findInstallationOwner,
  inRetriedTransaction,
  insertLinkOpens,
  lockUserAttributes,
  recordReceipts,
  saveUserAttributes,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { changeAttributes } from './change-attributes';
import { behaviorChanges, combineReceipts, linkOpens } from './combine-events';
import { isUuid, unknownInstallation } from './installation-id';

/** Records what devices report: receipts, tracked behaviour, opened links. All of one request, or nothing. */
@Injectable()
export class RecordEvents {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError NOT_FOUND when the user has no such installation */
  async record(appId: string, { installationId, userId, events }: DeviceEventsRequest): Promise<void> {
    if (!isUuid(installationId)) throw unknownInstallation();
    await inRetriedTransaction(this.database, async (executor) => {
      const owner = await findInstallationOwner(executor, appId, installationId);
      if (owner?.userId !== userId) throw unknownInstallation();
      const now = this.clock.now();
      await recordBehavior(executor, appId, userId, of(events, 'behavior'), now);
      const receipts = combineReceipts(of(events, 'receipt'), now);
      if (receipts.length > 0) await recordReceipts(executor, appId, owner.deviceId, receipts, now);
      const opens = linkOpens(of(events, 'link'), now);
      if (opens.length > 0) await insertLinkOpens(executor, appId, owner, opens);
    });
  }
}

async function recordBehavior(
  executor: Executor,
  appId: string,
  userId: string,
  events: Extract<DeviceEvent, { type: 'behavior' }>[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return;
  const attributes = await lockUserAttributes(executor, appId, userId);
  if (!attributes) return;
  const changed = changeAttributes(attributes, behaviorChanges(attributes, events, now));
  await saveUserAttributes(executor, appId, userId, changed);
}

function of<Type extends DeviceEvent['type']>(
  events: readonly DeviceEvent[],
  type: Type,
): Extract<DeviceEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<DeviceEvent, { type: Type }> => event.type === type);
}
