import { Module } from '@nestjs/common';
import { AdvisoryLocks } from '@postrider/persistence';
import { CloseUnprovedConnections } from '../connections/close-unproved-connections.task';
import { EndInboxes } from '../connections/end-inboxes.task';
import { HandOverLateMessages } from '../connections/hand-over-late-messages.task';
import { OpenHeldInboxes } from '../connections/open-held-inboxes.task';
import { RecoverPromoSets } from '../promo/recover-promo-sets.task';
import { EndCancelledPages } from '../recovery/end-cancelled-pages.task';
import { RecoverFallbacks } from '../recovery/recover-fallbacks.task';
import { RecoverLostJobs } from '../recovery/recover-lost-jobs.task';
import { RecoverMessages } from '../recovery/recover-messages.task';
import { RecoverPages } from '../recovery/recover-pages.task';
import { RecoverTagJobs } from '../recovery/recover-tag-jobs.task';
import { RecoverWebhooks } from '../recovery/recover-webhooks.task';
import { DeleteOldFallbacks } from '../retention/delete-old-fallbacks.task';
import { DeleteOldIdempotencyKeys } from '../retention/delete-old-idempotency-keys.task';
import { DeleteOldPaces } from '../retention/delete-old-paces.task';
import { DeleteOldPromoRecords } from '../retention/delete-old-promo-records.task';
import { DeleteOldTokenAnswers } from '../retention/delete-old-token-answers.task';
import { DeleteOldTrackerData } from '../retention/delete-old-tracker-data.task';
import { DeleteOldWebhookEvents } from '../retention/delete-old-webhook-events.task';
import { KeepPartitions } from '../retention/keep-partitions.task';
import { MeasureSegments } from '../segment-sizes/measure-segments.task';
import { Maintenance } from '../registry/maintenance.service';
import { MaintenanceMetrics } from '../registry/maintenance-metrics';
import { MAINTENANCE_TASKS, type MaintenanceTask } from '../registry/maintenance-task';
import { MeasureSegmentService } from '../segment-sizes/measure-segment.service';

/** Every maintenance task of Postrider. Of those that are due together the first ones begin first. */
const TASKS = [
  RecoverLostJobs,
  RecoverPages,
  RecoverMessages,
  RecoverFallbacks,
  RecoverTagJobs,
  RecoverWebhooks,
  RecoverPromoSets,
  CloseUnprovedConnections,
  OpenHeldInboxes,
  HandOverLateMessages,
  EndInboxes,
  EndCancelledPages,
  MeasureSegments,
  KeepPartitions,
  DeleteOldFallbacks,
  DeleteOldWebhookEvents,
  DeleteOldPaces,
  DeleteOldTokenAnswers,
  DeleteOldTrackerData,
  DeleteOldIdempotencyKeys,
  DeleteOldPromoRecords,
];

/** Runs the maintenance tasks, on a platform, a database and queues that its surroundings give. */
@Module({
  providers: [
    ...TASKS,
    MeasureSegmentService,
    AdvisoryLocks,
    MaintenanceMetrics,
    { provide: MAINTENANCE_TASKS, inject: TASKS, useFactory: (...tasks: MaintenanceTask[]) => tasks },
    Maintenance,
  ],
})
export class MaintenanceModule {}
