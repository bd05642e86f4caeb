import { openBus } from './events/bus';
import { SeenMessages } from './messages/message-receiver';
import { type ServiceFacts, StateStore } from './registration/installation-state';
import { Registrar } from './registration/registrar';
import { Outbox } from './reports/outbox';
import { RestApi } from './rest/rest-api';
import { browserStorage } from './storage/browser-storage';
import type { ClientStorage } from './storage/client-storage';
import type { WorkerScope } from './web-push/browser';
import { NotificationWorker, SYNC_TAG } from './web-push/notification-worker';

const TIMEOUT_MS = 15_000;

/** The options of a service worker. */
export interface ServiceWorkerOptions {
  appId: string;
  /** The pages' storage, where they were given one of their own; it has to be one that a worker can look into. */
  storage?: ClientStorage;
}

/**
 * Makes this service worker show what web push brings, and report what people do with it. Call it once, at the top of the
 * script. Where the service is and who the device belongs to it reads in the storage that it shares with the pages; it shows
 * messages also before any page registered.
 */
export function startServiceWorker({ appId, storage = browserStorage() }: ServiceWorkerOptions): void {
  const scope = globalThis as unknown as WorkerScope;
  const bus = openBus(appId);
  const begin = async (): Promise<NotificationWorker> => {
    const service = await new StateStore(storage, appId, null).readService().catch(() => null);
    return makeWorker({ appId, storage, scope, bus, service });
  };
  scope.addEventListener('push', (event) => {
    const text = event.data?.text() ?? '';
    event.waitUntil(begin().then((worker) => worker.push(text)));
  });
  scope.addEventListener('notificationclick', (event) => {
    const { notification, action } = event;
    notification.close();
    event.waitUntil(begin().then((worker) => worker.click(notification.data, action ?? '')));
  });
  scope.addEventListener('notificationclose', (event) => {
    event.waitUntil(begin().then((worker) => worker.close(event.notification.data)));
  });
  scope.addEventListener('pushsubscriptionchange', (event) => {
    const { oldSubscription = null, newSubscription = null } = event;
    event.waitUntil(begin().then((worker) => worker.subscriptionChanged(oldSubscription, newSubscription)));
  });
  scope.addEventListener('sync', (event) => {
    if (event.tag === SYNC_TAG) event.waitUntil(begin().then((worker) => worker.sync()));
  });
}

/** A worker is stopped whenever it has nothing to do, so each event finds a new one. */
function makeWorker({
  appId,
  storage,
  scope,
  bus,
  service,
}: {
  appId: string;
  storage: ClientStorage;
  scope: WorkerScope;
  bus: ReturnType<typeof openBus>;
  service: ServiceFacts | null;
}): NotificationWorker {
  const { url, token } = service ?? { url: scope.registration.scope, token: '' };
  const api = new RestApi({
    url,
    token,
    timeoutMs: TIMEOUT_MS,
    fetch: (address, init) => globalThis.fetch(address, init),
  });
  const registrar = new Registrar(
    api,
    new StateStore(storage, appId, service),
    { appId, device: null },
    {
      registered: (_, hasChanged) => {
        if (hasChanged) bus.post({ kind: 'identity' });
      },
    },
  );
  return new NotificationWorker({
    scope,
    bus,
    registrar,
    shown: new SeenMessages(storage, appId, 'shown'),
    outbox: new Outbox(api, registrar, storage, appId),
  });
}
