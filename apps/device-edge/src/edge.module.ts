import { Module } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { DATABASE, type Database, ReceiptRecorder } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { Acknowledgements } from './outcomes/outcome-recorder.service';
import { ClientSends } from './publishes/client-sends.service';
import { Clockwork } from './runtime/edge-timers.service';
import { ClockworkParts } from './ledger/clockwork-parts.service';
import { Closing } from './presence/session-closer.service';
import { ConnectionLimit } from './ledger/connection-limit.service';
import { Connections } from './session/session-registry';
import { Credentials } from './admission/access-tokens.service';
import { DeviceEvents } from './publishes/device-events.service';
import { Doorkeeper } from './admission/device-admission.service';
import { EDGE_ID, newEdgeId } from './presence/edge-id';
import { House } from './ledger/house.service';
import { InboxDelivering } from './inbox/inbox-delivery.service';
import { Inbox } from './inbox/inbox-reader.service';
import { KnownMessages } from './ledger/known-messages.service';
import { Memberships } from './presence/subscription-store.service';
import { PresenceKeeper } from './presence/presence-writer.service';
import { Publishing } from './ledger/publishing.service';
import { Rechecks } from './inbox/inbox-rechecks.service';
import { RenderedPayloads } from './inbox/payload-renderer.service';
import { Residents } from './presence/connected-devices.service';
import { HeldPages } from './outcomes/held-pages.service';
import { SettledDeliveries } from './outcomes/settled-deliveries';
import { Withdrawals } from './inbox/cancelled-messages.service';
import { EdgeMetrics } from './runtime/edge-metrics';
import { Farewell } from './runtime/graceful-shutdown.service';
import { Listeners } from './transport/listeners.service';
import { Sessions } from './session/session-factory.service';

/** What an edge does, on a platform, a database and queues that its surroundings give. */
@Module({
  providers: [
    { provide: EDGE_ID, inject: [CONFIG], useFactory: (config: Config) => newEdgeId(config.instanceId) },
    {
      provide: ReceiptRecorder,
      inject: [DATABASE, CLOCK],
      useFactory: (database: Database, clock: Clock) => new ReceiptRecorder(database, clock),
    },
    Connections,
    ConnectionLimit,
    Credentials,
    PresenceKeeper,
    Doorkeeper,
    Memberships,
    HeldPages,
    SettledDeliveries,
    Withdrawals,
    Acknowledgements,
    RenderedPayloads,
    InboxDelivering,
    KnownMessages,
    Inbox,
    Rechecks,
    Residents,
    ClientSends,
    DeviceEvents,
    Publishing,
    EdgeMetrics,
    House,
    Sessions,
    Listeners,
    Closing,
    ClockworkParts,
    Clockwork,
    Farewell,
  ],
  exports: [Listeners],
})
export class EdgeModule {}
