import { Module } from '@nestjs/common';
import { AdvisoryLocks } from '@postrider/persistence';
import { BacklogMetrics } from '../backlog/backlog-metrics';
import { ChooseWinner } from '../campaign-tests/choose-winner.service';
import { ChooseWinners } from '../campaign-tests/choose-winners.task';
import { CloseUnprovedConnections } from '../connections/close-unproved-connections.task';
import { EndWaitingDeliveries } from '../connections/end-waiting-deliveries.task';
import { RerouteLateMessages } from '../connections/reroute-late-messages.task';
import { OpenConnectionPages } from '../connections/open-connection-pages.task';
import { PutOffQuiet } from '../connections/put-off-quiet.service';
import { FormerOwner } from '../connections/former-owner.service';
import { EraseUser } from '../erasures/erase-user.service';
import { QuietUser } from '../erasures/quiet-user.service';
import { ResumeErasures } from '../erasures/resume-erasures.task';
import { RenewStatistics } from '../planner-statistics/renew-statistics.task';
import { RecoverPromoSets } from '../promo/recover-promo-sets.task';
import { EndCancelledPages } from '../recovery/end-cancelled-pages.task';
import { RecoverFallbacks } from '../recovery/recover-fallbacks.task';
import { RecoverLostJobs } from '../recovery/recover-lost-jobs.task';
import { RecoverMessages } from '../recovery/recover-messages.task';
import { RecoverPages } from '../recovery/recover-pages.task';
import { RecoverDeviceImports, RecoverTagJobs } from '../recovery/recover-files.tasks';
import { RecoverWebhooks } from '../recovery/recover-webhooks.task';
import { ReleaseQuiet } from '../recovery/release-quiet.task';
import { DropPartitions, KeepPartitions, RETENTION_TASKS } from '../retention/retention.tasks';
import { RemoveApplication } from '../removals/remove-application.service';
import { ResumeRemovals } from '../removals/resume-removals.task';
import { SwitchOffDeadTokens } from '../tokens/switch-off-dead-tokens.task';
import { MeasureSegments, MeasureSegmentService } from '../segment-sizes/measure-segments.task';
import { Maintenance } from '../registry/maintenance.service';
import { MaintenanceMetrics } from '../registry/maintenance-metrics';
import { MAINTENANCE_TASKS, type MaintenanceTask } from '../registry/maintenance-task';
import { TaskRunner } from '../registry/task-runner.service';

/** Every maintenance task of Postrider but `RETENTION_TASKS`, which come after them. Tasks that are due together begin in this order. */
const TASKS = [
  RecoverLostJobs,
  RecoverPages,
  RecoverMessages,
  RecoverFallbacks,
  RecoverTagJobs,
  RecoverDeviceImports,
  RecoverWebhooks,
  RecoverPromoSets,
  ResumeErasures,
  ResumeRemovals,
  CloseUnprovedConnections,
  ChooseWinners,
  ReleaseQuiet,
  OpenConnectionPages,
  RerouteLateMessages,
  EndWaitingDeliveries,
  EndCancelledPages,
  SwitchOffDeadTokens,
  MeasureSegments,
  RenewStatistics,
  KeepPartitions,
  DropPartitions,
];

/** Runs the maintenance tasks, on a platform, a database and queues that its surroundings give. */
@Module({
  providers: [
    ...TASKS,
    ...RETENTION_TASKS,
    MeasureSegmentService,
    ChooseWinner,
    PutOffQuiet,
    FormerOwner,
    EraseUser,
    QuietUser,
    RemoveApplication,
    AdvisoryLocks,
    MaintenanceMetrics,
    BacklogMetrics,
    {
      provide: MAINTENANCE_TASKS,
      inject: [...TASKS, ...RETENTION_TASKS.map(({ provide }) => provide)],
      useFactory: (...tasks: MaintenanceTask[]) => tasks,
    },
    TaskRunner,
    Maintenance,
  ],
})
export class MaintenanceModule {}
