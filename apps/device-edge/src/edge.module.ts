import { Module } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { DATABASE, type Database, ReceiptRecorder } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { Acknowledgements } from './ledger/acknowledgements.service';
import { ClientSends } from './ledger/client-sends.service';
import { Clockwork } from './ledger/clockwork.service';
import { ClockworkParts } from './ledger/clockwork-parts.service';
import { Closing } from './ledger/closing.service';
import { ConnectionLimit } from './ledger/connection-limit.service';
import { Connections } from './ledger/connections';
import { Credentials } from './ledger/credentials.service';
import { DeviceEvents } from './ledger/device-events.service';
import { Doorkeeper } from './ledger/doorkeeper.service';
import { EDGE_ID, newEdgeId } from './ledger/edge-identity';
import { House } from './ledger/house.service';
import { InboxDelivering } from './ledger/inbox-delivering.service';
import { Inbox } from './ledger/inbox.service';
import { KnownMessages } from './ledger/known-messages.service';
import { Memberships } from './ledger/memberships.service';
import { PresenceKeeper } from './ledger/presence.service';
import { Publishing } from './ledger/publishing.service';
import { Rechecks } from './ledger/rechecks.service';
import { RenderedPayloads } from './ledger/rendered-payloads.service';
import { Residents } from './ledger/residents.service';
import { HeldPages } from './ledger/held-pages.service';
import { SettledDeliveries } from './ledger/settled-deliveries';
import { Withdrawals } from './ledger/withdrawals.service';
import { EdgeMetrics } from './metrics/edge-metrics';
import { Farewell } from './transport/farewell.service';
import { Listeners } from './transport/listeners.service';
import { Sessions } from './transport/sessions.service';

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
