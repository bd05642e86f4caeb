import { Module } from '@nestjs/common';
import { MaintenanceModule } from '@postrider/maintenance';
import { EditTagsProcessor } from './bulk-tags/edit-tags.processor';
import { EditTags } from './bulk-tags/edit-tags.service';
import { HandOn } from './enqueueing/hand-on.service';
import { ResolveMessageProcessor } from './resolving/resolve-message.processor';
import { ResolveMessageService } from './resolving/resolve-message.service';
import { ResolveTogether } from './resolving/resolve-together.service';
import { ResolveReport } from './resolving/resolve-report.service';

/** What the audience worker does, on a platform, a database and queues that its surroundings give. */
@Module({
  imports: [MaintenanceModule],
  controllers: [ResolveMessageProcessor, EditTagsProcessor],
  providers: [HandOn, ResolveMessageService, ResolveTogether, ResolveReport, EditTags],
})
export class AudienceModule {}
