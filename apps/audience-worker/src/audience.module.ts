import { Module } from '@nestjs/common';
import { Endings, WakeUps } from './sweeping/all-sweeps.service';
import { CancelledSweep } from './sweeping/cancelled-sweep.service';
import { LostJobsSweep } from './sweeping/lost-jobs-sweep.service';
import { EditTagsProcessor } from './bulk-tags/edit-tags.processor';
import { EditTags } from './bulk-tags/edit-tags.service';
import { TagJobSweep } from './bulk-tags/tag-job-sweep.service';
import { HandOn } from './enqueueing/hand-on.service';
import { ResolveMessageProcessor } from './resolving/resolve-message.processor';
import { ResolveMessageService } from './resolving/resolve-message.service';
import { ResolveTogether } from './resolving/resolve-together.service';
import { ResolveReport } from './resolving/resolve-report.service';
import { MeasureSegmentService } from './segment-sizes/measure-segment.service';
import { SegmentSizes } from './segment-sizes/segment-sizes.service';
import { ConnectionSweep } from './sweeping/connection-sweep.service';
import { FallbackSweep } from './sweeping/fallback-sweep.service';
import { HeldInboxSweep } from './sweeping/held-inbox-sweep.service';
import { InboxSweep } from './sweeping/inbox-sweep.service';
import { MessageSweep } from './sweeping/message-sweep.service';
import { PageSweep } from './sweeping/page-sweep.service';
import { UnprovedSweep } from './sweeping/unproved-sweep.service';
import { WebhookSweep } from './sweeping/webhook-sweep.service';
import { Ender, Sweeper } from './sweeping/sweeper.service';
import { ExpiredRows } from './upkeep/expired-rows.service';
import { Upkeep } from './upkeep/upkeep.service';

/** What the audience worker does, on a platform, a database and queues that its surroundings give. */
@Module({
  controllers: [ResolveMessageProcessor, EditTagsProcessor],
  providers: [
    HandOn,
    ResolveMessageService,
    ResolveTogether,
    ResolveReport,
    MessageSweep,
    PageSweep,
    HeldInboxSweep,
    InboxSweep,
    ConnectionSweep,
    FallbackSweep,
    EditTags,
    TagJobSweep,
    WebhookSweep,
    CancelledSweep,
    LostJobsSweep,
    WakeUps,
    Endings,
    UnprovedSweep,
    Sweeper,
    Ender,
    Upkeep,
    ExpiredRows,
    MeasureSegmentService,
    SegmentSizes,
  ],
})
export class AudienceModule {}
