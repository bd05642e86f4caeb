/* The parts of the browser's push and notification interfaces that are used: see storage/indexed-db.ts for why they stand here. */

/** A subscription at the browser's push service. */
export interface PushSubscription {
  readonly options: { readonly applicationServerKey: ArrayBuffer | null };
  /** What `JSON.stringify` writes; the type of browsers for it has no index signature. */
  toJSON(): object;
  unsubscribe(): Promise<boolean>;
}

/** Makes subscriptions. */
export interface PushManager {
  getSubscription(): Promise<PushSubscription | null>;
  subscribe(options: { userVisibleOnly: true; applicationServerKey: ArrayBuffer }): Promise<PushSubscription>;
}

/** A script of a service worker on its way to be the active one. */
export interface ServiceWorkerScript {
  readonly state: string;
  addEventListener(name: 'statechange', listener: () => void): void;
}

/** A registered service worker. */
export interface WorkerRegistration {
  readonly scope: string;
  readonly installing?: ServiceWorkerScript | null;
  readonly waiting?: ServiceWorkerScript | null;
  readonly active?: ServiceWorkerScript | null;
  readonly pushManager?: PushManager;
  readonly sync?: { register(tag: string): Promise<void> };
  showNotification(title: string, options: object): Promise<void>;
}

/** The type of `navigator.serviceWorker`. */
export interface WorkerContainer {
  register(url: string, options?: object): Promise<WorkerRegistration>;
  getRegistration(): Promise<WorkerRegistration | undefined>;
}

/** The type of `Notification`. */
export interface NotificationPermissions {
  readonly permission: 'granted' | 'denied' | 'default';
  requestPermission(): Promise<'granted' | 'denied' | 'default'>;
}

/** The part of a page's globals that concerns notifications. */
export interface PageGlobals {
  navigator?: { serviceWorker?: WorkerContainer };
  Notification?: NotificationPermissions;
}

/** A notification that is shown. */
export interface ShownNotification {
  readonly data: unknown;
  close(): void;
}

/** A window of the application. */
export interface WindowClient {
  readonly url: string;
  focus(): Promise<WindowClient>;
}

/** The common part of a service worker's events. */
export interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
}

/** `push` */
export interface PushEvent extends WorkerEvent {
  readonly data: { text(): string } | null;
}

/** `notificationclick` and `notificationclose` */
export interface NotificationClickEvent extends WorkerEvent {
  readonly notification: ShownNotification;
  /** The button's `action`; empty: the notification itself. */
  readonly action?: string;
}

/** `pushsubscriptionchange` */
export interface SubscriptionChangeEvent extends WorkerEvent {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

/** The events of a service worker that are listened to. */
export interface WorkerEvents {
  push: PushEvent;
  notificationclick: NotificationClickEvent;
  notificationclose: NotificationClickEvent;
  pushsubscriptionchange: SubscriptionChangeEvent;
  sync: WorkerEvent & { readonly tag: string };
}

/** The type of `self` in a service worker. */
export interface WorkerScope {
  readonly registration: WorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): void;
}
