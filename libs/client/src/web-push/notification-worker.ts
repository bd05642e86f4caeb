import type { Bus, NotificationEvent } from '../events/bus';
import { type ClientMessage, readPushPayload } from '../messages/client-message';
import type { SeenMessages } from '../messages/message-receiver';
import type { Registrar } from '../registration/registrar';
import { type Outbox, receiptReport, type ReceiptKind } from '../reports/outbox';
import type { PushSubscription, WorkerScope } from './browser';
import { type NotificationMemory, notificationOptions, readMemory, safeLink } from './notifications';

/** The tag of the background sync that sends what could not be sent. */
export const SYNC_TAG = 'postrider-reports';

/** The services of the worker. */
export interface WorkerParts {
  scope: Pick<WorkerScope, 'registration' | 'clients'>;
  shown: SeenMessages;
  registrar: Registrar;
  outbox: Outbox;
  bus: Bus;
}

const KIND_OF = { shown: 'SHOWN', opened: 'OPENED', dismissed: 'DISMISSED', action: 'ACTION_TAKEN' } as const;

/**
 * Shows what web push brings, once, and reports what people do with it. What it cannot report now waits in the storage that it
 * shares with the pages. Where nothing can be stored, it shows and opens all the same, and reports nothing.
 */
export class NotificationWorker {
  constructor(private readonly parts: WorkerParts) {}

  /** A push message came. */
  async push(text: string): Promise<void> {
    const message = readPushPayload(text);
    if (message === null) return;
    const { bus, shown } = this.parts;
    // A storage that fails may let a notification be shown twice, which has the same tag. It must not keep it from the person.
    const wasShown = await shown.has(message.id).catch(() => false);
    const isShown = wasShown ? false : await this.#show(message);
    bus.post({ kind: 'message', message, via: 'push' });
    if (isShown) await shown.add(message.id).catch(() => false);
    const wantsReceipt = isShown && message.notification?.notifDelivery === true;
    if (wantsReceipt) this.#tell('shown', { messageId: message.id, trackId: message.trackId });
    await this.#report(message, ['DELIVERED', ...(wantsReceipt ? (['SHOWN'] as const) : [])]);
  }

  /** A notification, or its button, was clicked. @param action the button; empty: the notification itself */
  async click(data: unknown, action: string): Promise<void> {
    const memory = readMemory(data);
    if (memory === null) return;
    const link = linkOf(memory, action);
    const what = action === '' ? 'opened' : 'action';
    // A browser lets a window be opened for a moment only: nothing may be waited for before.
    const opening = this.#open(link);
    this.#tell(what, memory, { actionId: action === '' ? null : action, link });
    await Promise.all([opening, this.#report(idOf(memory), [KIND_OF[what]], action === '' ? null : action)]);
  }

  /** A notification was wiped away. */
  async close(data: unknown): Promise<void> {
    const memory = readMemory(data);
    if (memory === null) return;
    this.#tell('dismissed', memory);
    await this.#report(idOf(memory), ['DISMISSED']);
  }

  /** The browser gave the subscription up, or another in its place. */
  async subscriptionChanged(before: PushSubscription | null, after: PushSubscription | null): Promise<void> {
    if ((await this.parts.registrar.read())?.installationId == null) return;
    const subscription = after ?? (await this.#subscribeAgain(before));
    await this.parts.registrar.register({
      deviceToken: subscription && JSON.stringify(subscription.toJSON()),
      tokenStatus: subscription ? 'ALLOWED' : 'ERR',
    });
  }

  /** Sends what waits. @throws Error so that the browser tries again later */
  async sync(): Promise<void> {
    if (!(await this.parts.outbox.flush())) throw new Error('The service cannot be reached');
  }

  async #show(message: ClientMessage): Promise<boolean> {
    const { notification, silent } = message;
    if (silent || notification === null) return false;
    await this.parts.scope.registration.showNotification(
      notification.title,
      notificationOptions(message, notification),
    );
    return true;
  }

  async #subscribeAgain(before: PushSubscription | null): Promise<PushSubscription | null> {
    const key = before?.options.applicationServerKey;
    const manager = this.parts.scope.registration.pushManager;
    if (!key || !manager) return null;
    return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => null);
  }

  /** A window that shows the page already comes to the front; else one is opened. */
  async #open(link: string | null): Promise<void> {
    const { clients, registration } = this.parts.scope;
    const address = safeLink(link, registration.scope);
    try {
      const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
      const open = windows.find(({ url }) => (address === null ? url.startsWith(registration.scope) : url === address));
      if (open) await open.focus();
      // The page must follow a link into another application; it is told of the click.
      else await clients.openWindow(address ?? registration.scope);
    } catch {
      // The browser may refuse: the click is reported all the same.
    }
  }

  async #report(
    message: { id: string; trackId: string | null },
    kinds: readonly ReceiptKind[],
    actionId: string | null = null,
  ): Promise<void> {
    const { registrar, outbox, scope } = this.parts;
    const now = Date.now();
    try {
      const state = await registrar.read();
      if (state === null || state.installationId === null) return;
      await outbox.add(...kinds.map((kind) => receiptReport(state.userId, kind, message, actionId, now)));
    } catch {
      // The storage fails: who the device belongs to is not known, or the report cannot wait.
      return;
    }
    if (!(await outbox.flush())) await scope.registration.sync?.register(SYNC_TAG).catch(() => undefined);
  }

  #tell(
    action: NotificationEvent['action'],
    { messageId, trackId }: Pick<NotificationMemory, 'messageId' | 'trackId'>,
    { actionId = null, link = null }: { actionId?: string | null; link?: string | null } = {},
  ): void {
    this.parts.bus.post({ kind: 'notification', event: { action, messageId, trackId, actionId, link } });
  }
}

/** An action without a link of its own leads where the notification leads. Its id may be any text, `constructor` too. */
function linkOf({ links, clickUrl }: NotificationMemory, action: string): string | null {
  return (Object.hasOwn(links, action) ? links[action] : null) ?? clickUrl;
}

function idOf({ messageId, trackId }: NotificationMemory): { id: string; trackId: string | null } {
  return { id: messageId, trackId };
}
