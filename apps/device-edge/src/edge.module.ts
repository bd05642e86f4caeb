import { Module, type Type } from '@nestjs/common';
import { CONFIG, type Config } from '@postrider/platform';
import { PromoCodeClaims } from '@postrider/promo';
import { AccessTokenLookup } from './admission/access-token-lookup.service';
import { DeviceAdmission } from './admission/device-admission.service';
import { InstallationLookup } from './admission/installation-lookup.service';
import { RevokedAccessTokens } from './admission/revoked-access-tokens.service';
import { CancelledMessages } from './waiting/cancelled-messages.service';
import { WaitingPublisher } from './waiting/waiting-publisher.service';
import { WaitingReader } from './waiting/waiting-reader.service';
import { WaitingRechecks } from './waiting/waiting-rechecks.service';
import { MessageCache } from './waiting/message-cache.service';
import { PayloadRenderer } from './waiting/payload-renderer.service';
import { EdgePages } from './outcomes/edge-pages.service';
import { OutcomeRecorder } from './outcomes/outcome-recorder.service';
import { SettledDeliveries } from './outcomes/settled-deliveries';
import { ConnectedDevices } from './presence/connected-devices.service';
import { DelayedWills } from './presence/delayed-wills.service';
import { EDGE_ID, newEdgeId } from './runtime/edge-id';
import { EdgeLease } from './presence/edge-lease.service';
import { EdgeReturn } from './presence/edge-return.service';
import { FormerConnections } from './presence/former-connections.service';
import { Heartbeat } from './presence/heartbeat.service';
import { PresenceWriter } from './presence/presence-writer.service';
import { SessionCloser } from './presence/session-closer.service';
import { SubscriptionStore } from './presence/subscription-store.service';
import { ClientSends } from './publishes/client-sends.service';
import { DeviceEvents } from './publishes/device-events.service';
import { EdgeMetrics } from './runtime/edge-metrics';
import { EdgeTimers } from './edge-timers.service';
import { GracefulShutdown } from './graceful-shutdown.service';
import { HintReceiver } from './hint-receiver.service';
import { PeriodicTasks } from './runtime/periodic-tasks.service';
import { SESSION_SERVICES, type SessionServices } from './session/device-session';
import { PACKET_COUNTER } from './session/packet-session';
import { SessionFactory } from './session/session-factory.service';
import { SessionRegistry } from './session/session-registry';
import { Listeners } from './transport/listeners.service';

const ADMISSION = [AccessTokenLookup, InstallationLookup, DeviceAdmission, RevokedAccessTokens];
const PRESENCE = [
  PresenceWriter,
  FormerConnections,
  ConnectedDevices,
  SubscriptionStore,
  DelayedWills,
  SessionCloser,
  EdgeLease,
  EdgeReturn,
  Heartbeat,
];
const WAITING = [
  WaitingReader,
  WaitingPublisher,
  WaitingRechecks,
  MessageCache,
  PayloadRenderer,
  PromoCodeClaims,
  CancelledMessages,
];
const OUTCOMES = [OutcomeRecorder, EdgePages, SettledDeliveries];
const PUBLISHES = [ClientSends, DeviceEvents];
const RUNTIME = [EdgeMetrics, PeriodicTasks, HintReceiver, EdgeTimers, GracefulShutdown];

/** Who provides each part of `SESSION_SERVICES`. */
const SERVICES: { readonly [Part in keyof SessionServices]: Type<SessionServices[Part]> } = {
  lease: EdgeLease,
  admission: DeviceAdmission,
  devices: ConnectedDevices,
  subscriptions: SubscriptionStore,
  sends: ClientSends,
  wills: DelayedWills,
  events: DeviceEvents,
  outcomes: OutcomeRecorder,
};

/** The device edge without its platform, database and queues, which the importing module provides. */
@Module({
  providers: [
    { provide: EDGE_ID, inject: [CONFIG], useFactory: (config: Config) => newEdgeId(config.instanceId) },
    {
      provide: SESSION_SERVICES,
      inject: Object.values(SERVICES),
      useFactory: (...parts: object[]) =>
        Object.fromEntries(Object.keys(SERVICES).map((name, place) => [name, parts[place]])),
    },
    ...ADMISSION,
    ...PRESENCE,
    ...WAITING,
    ...OUTCOMES,
    ...PUBLISHES,
    ...RUNTIME,
    { provide: PACKET_COUNTER, useExisting: EdgeMetrics },
    SessionRegistry,
    SessionFactory,
    Listeners,
  ],
  exports: [Listeners],
})
export class EdgeModule {}
