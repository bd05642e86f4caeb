import { type DynamicModule, Module } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { PersistenceModule } from '@postrider/persistence';
import { type GatewayConfig, PlatformModule } from '@postrider/platform';
import { QueuesModule } from '@postrider/queues';
import { AdminModule } from './admin/admin.module';
import { AuthModule } from './auth/auth.module';
import { BulkTagsModule } from './tags/bulk/bulk-tags.module';
import { ChannelsModule } from './channels/channels.module';
import { DraftsModule } from './drafts/drafts.module';
import { EventsModule } from './events/events.module';
import { FrontPage } from './front-page/front-page';
import { Guide } from './guide/guide';
import { HeavyReadsModule } from './heavy-reads/heavy-reads.module';
import { HttpModule } from './http/http.module';
import { ImportsModule } from './imports/imports.module';
import { InstallationsModule } from './devices/installations.module';
import { Documentation } from './documentation/documentation';
import { Panel } from './panel/panel';
import { QueuesBoard } from './queues-board/queues-board';
import { MessageDevicesModule } from './messages/devices/message-devices.module';
import { OverviewModule } from './overview/overview.module';
import { PromoModule } from './promo/promo.module';
import { ReadingModule } from './messages/reading/reading.module';
import { SegmentsModule } from './segments/segments.module';
import { SmsStatusModule } from './messages/sms-status/sms-status.module';
import { InboxModule } from './devices/inbox/inbox.module';
import { StatisticsModule } from './messages/statistics/statistics.module';
import { TemplatesModule } from './templates/templates.module';
import { TrackersModule } from './trackers/trackers.module';
import { TagsModule } from './tags/tags.module';
import { SendingModule } from './messages/sending/sending.module';
import { UsersModule } from './users/users.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The gateway: all HTTP endpoints. */
@Module({})
export class AppModule {
  /** @param clock another clock than PostgreSQL's, for tests */
  static forConfig(config: GatewayConfig, clock?: Clock): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forApp('gateway', config, clock),
        PersistenceModule,
        QueuesModule.forApp(),
        AuthModule,
        HttpModule,
        HeavyReadsModule,
        SendingModule,
        AdminModule,
        InstallationsModule,
        TagsModule,
        EventsModule,
        ImportsModule,
        ReadingModule,
        OverviewModule,
        MessageDevicesModule,
        SmsStatusModule,
        SegmentsModule,
        DraftsModule,
        TemplatesModule,
        UsersModule,
        ChannelsModule,
        BulkTagsModule,
        PromoModule,
        TrackersModule,
        StatisticsModule,
        InboxModule,
        WebhooksModule,
      ],
      providers: [QueuesBoard, Panel, FrontPage, Guide, Documentation],
    };
  }
}
