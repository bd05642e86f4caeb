import { Module } from '@nestjs/common';
import {
  CancelledSweep,
  ConnectionSweep,
  ExpiredRows,
  FallbackSweep,
  HeldInboxSweep,
  InboxSweep,
  LostJobsSweep,
  MeasureSegmentService,
  MessageSweep,
  PageSweep,
  SegmentSizes,
  TagJobSweep,
  UnprovedSweep,
  Upkeep,
  WebhookSweep,
} from '@postrider/maintenance';
import { Endings, WakeUps } from './sweeping/all-sweeps.service';
import { EditTagsProcessor } from './bulk-tags/edit-tags.processor';
import { EditTags } from './bulk-tags/edit-tags.service';
import { HandOn } from './enqueueing/hand-on.service';
import { ResolveMessageProcessor } from './resolving/resolve-message.processor';
import { ResolveMessageService } from './resolving/resolve-message.service';
import { ResolveBatch } from './resolving/resolve-batch.service';
import { ResolveReport } from './resolving/resolve-report.service';
import { Ender, Sweeper } from './sweeping/sweeper.service';

/** What the audience worker does, on a platform, a database and queues that its surroundings give. */
@Module({
  controllers: [ResolveMessageProcessor, EditTagsProcessor],
  providers: [
    HandOn,
    ResolveMessageService,
    ResolveBatch,
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
