import type { WebhookKey } from '@postrider/persistence';

/** Lets this process be at each webhook once at a time, so that none waits for the receiver of another. */
export class WebhookTurns {
  readonly #taken = new Set<string>();

  /** @returns whether nobody is at it; the turn has to be given back then */
  take({ appId, webhookId }: WebhookKey): boolean {
    const name = nameOf(appId, webhookId);
    if (this.#taken.has(name)) return false;
    this.#taken.add(name);
    return true;
  }

  give({ appId, webhookId }: WebhookKey): void {
    this.#taken.delete(nameOf(appId, webhookId));
  }
}

function nameOf(appId: string, webhookId: string): string {
  return JSON.stringify([appId, webhookId]);
}
