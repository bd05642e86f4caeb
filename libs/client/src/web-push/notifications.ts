import type { ClientMessage } from '../messages/client-message';
import type { SeenMessages } from '../messages/seen-messages';
import type { Receipts } from '../reports/receipts';
import type { PageGlobals } from './browser';
import { notificationOptions } from './notification-options';

/** Shows messages as notifications of the system, from a page. */
export class Notifications {
  constructor(
    private readonly shown: SeenMessages,
    private readonly receipts: Receipts,
    private readonly globals: PageGlobals = globalThis as PageGlobals,
  ) {}

  /**
   * Shows a message, and reports that. It takes a service worker and the person's permission. What is said in clicks on it the
   * service worker reports.
   *
   * @returns false when nothing was shown: nothing is to be shown, it was shown before, or it is not allowed
   */
  async show(message: ClientMessage): Promise<boolean> {
    const { notification } = message;
    if (message.silent || notification === null || this.globals.Notification?.permission !== 'granted') return false;
    const registration = await this.globals.navigator?.serviceWorker?.getRegistration();
    if (!registration || (await this.shown.has(message.id))) return false;
    await registration.showNotification(notification.title, notificationOptions(message, notification));
    await this.shown.add(message.id);
    if (notification.notifDelivery) await this.receipts.shown(message);
    return true;
  }
}
