import { Api } from './api';
import type { Demo } from './demo/demo-application';

/** The result of the first push. */
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
  payload: unknown;
}

interface Deliveries {
  deliveries: { state: string; vendor: string | null; userId: string | null }[];
}

const TIMEOUT_MS = 30_000;
/** A start on existing data continues with waiting messages: the inbox may hold many others by now. */
const INBOX_DEPTH = 500;

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
    // Somebody may have given the demo application quiet hours.
    ignoreQuietHours: true,
  });
  const messageId = answer.headers.get('x-message-id') ?? '';
  const { deliveries } = await untilRecorded(server, messageId, answer.body.count);
  const milliseconds = Math.round(performance.now() - begun);
  const inbox = await readInbox(simulatorUrl, messageId);
  const received = deliveries.map((delivery) => describe(delivery, inbox));
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

async function readInbox(simulatorUrl: string, messageId: string): Promise<InboxEntry[]> {
  const answer = await fetch(`${simulatorUrl}/inbox?limit=${INBOX_DEPTH}`);
  const entries = (await answer.json()) as InboxEntry[];
  return entries.filter(({ payload }) => JSON.stringify(payload).includes(messageId));
}

function describe({ vendor, state }: Deliveries['deliveries'][number], inbox: InboxEntry[]): string {
  const entry = inbox.find((one) => one.vendor === vendor);
  const text = entry ? `“${entry.title ?? ''}: ${entry.body ?? ''}”` : 'nothing';
  return `${(vendor ?? '').toUpperCase()} received ${text} · recorded as ${state}`;
}
