import { Api } from './api';
import type { Demo } from './demo';

/** What came of the first push. */
export interface FirstPush {
  count: number;
  messageId: string;
  /** One line a device: vendor, what the vendor received, what was recorded. */
  received: string[];
  milliseconds: number;
}

interface InboxEntry {
  vendor: string;
  token: string;
  title?: string;
  body?: string;
}

interface Deliveries {
  deliveries: { state: string; vendor: string | null; userId: string | null }[];
}

const TIMEOUT_MS = 30_000;

/**
 * Sends one message to Ada's two devices through the whole path, and waits until both deliveries are recorded.
 *
 * @throws when that takes more than half a minute
 */
export async function sendFirstPush(gatewayUrl: string, simulatorUrl: string, demo: Demo): Promise<FirstPush> {
  const server = new Api(gatewayUrl, demo.serverToken);
  const begun = performance.now();
  const answer = await server.call<{ count: number }>('POST', '/api/push/toUsers', {
    user: 'ada',
    content: 'Your first push went all the way.',
    notification: { title: 'Hello from Postrider', body: 'Your first push went all the way.' },
  });
  const messageId = answer.headers.get('x-message-id') ?? '';
  const { deliveries } = await untilRecorded(server, messageId, answer.body.count);
  const milliseconds = Math.round(performance.now() - begun);
  const inbox = await readInbox(simulatorUrl, answer.body.count);
  const received = deliveries.map((delivery, index) => describe(delivery, inbox[index]));
  return { count: answer.body.count, messageId, received, milliseconds };
}

async function untilRecorded(server: Api, messageId: string, count: number): Promise<Deliveries> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const path = `/api/push/messages/${messageId}/deliveries`;
    const { body } = await server.call<Deliveries>('GET', path);
    if (body.deliveries.length >= count && body.deliveries.every(({ state }) => state !== 'pending')) return body;
    if (Date.now() > deadline)
      throw new Error(`The first push is not recorded after ${TIMEOUT_MS / 1_000} s: see ${path}`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

async function readInbox(simulatorUrl: string, limit: number): Promise<InboxEntry[]> {
  const answer = await fetch(`${simulatorUrl}/inbox?limit=${limit}`);
  const body = (await answer.json()) as { messages?: InboxEntry[] } | InboxEntry[];
  return Array.isArray(body) ? body : (body.messages ?? []);
}

function describe(delivery: Deliveries['deliveries'][number], entry: InboxEntry | undefined): string {
  const text = entry ? `“${entry.title ?? ''}: ${entry.body ?? ''}”` : 'nothing';
  return `${(entry?.vendor ?? delivery.vendor ?? '').toUpperCase()} received ${text} · recorded as ${delivery.state}`;
}
