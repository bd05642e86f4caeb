import { answerOf, type ApplicationApi } from '../../api/client';
import type { SendResponse } from '../../api/generated/document';
import type { SendRequest } from '../../model/message-requests';

/** What a send would do now. */
export type DryRun = Required<Pick<SendResponse, 'count' | 'byVendor' | 'sample'>>;

/** What came of a send. */
export interface Sent {
  count: number;
  /** Ids of the messages that were accepted. */
  messageIds: string[];
  /** Whether it had been sent before, and nothing was sent now. */
  isReplay: boolean;
}

const SAMPLE_SIZE = 10;

/** Asks what requests would do, and sends nothing. @throws ApiError */
export async function dryRun(
  api: ApplicationApi,
  requests: readonly SendRequest[],
  signal?: AbortSignal,
): Promise<DryRun> {
  const whole: DryRun = { count: 0, byVendor: {}, sample: [] };
  for (const { path, body } of requests) {
    const options = { params: { query: { dryRun: true } }, body, ...(signal ? { signal } : {}) };
    const { count, byVendor = {}, sample = [] } = await answerOf(api.POST(path, options));
    whole.count += count;
    for (const [vendor, devices] of Object.entries(byVendor)) {
      whole.byVendor[vendor] = (whole.byVendor[vendor] ?? 0) + devices;
    }
    whole.sample.push(...sample.slice(0, SAMPLE_SIZE - whole.sample.length));
  }
  return whole;
}

/** Sends requests, each once however often this is called. @throws ApiError */
export async function send(api: ApplicationApi, requests: readonly SendRequest[]): Promise<Sent> {
  const sent: Sent = { count: 0, messageIds: [], isReplay: true };
  for (const { path, body, idempotencyKey } of requests) {
    const asked = api.POST(path, { params: { header: { 'Idempotency-Key': idempotencyKey } }, body });
    const { headers } = (await asked).response;
    sent.count += (await answerOf(asked)).count;
    sent.messageIds.push(...(headers.get('x-message-id') ?? '').split(',').filter((id) => id !== ''));
    sent.isReplay &&= headers.get('idempotent-replayed') === 'true';
  }
  return sent;
}

/** A short text that changes whenever requests do, without the hundred thousand ids that they may hold. */
export function fingerprint(requests: readonly SendRequest[]): string {
  return JSON.stringify(
    requests.map(({ path, body }) => {
      const { users, ...rest } = body;
      const ids = Array.isArray(users) ? (users as string[]) : [];
      return [path, rest, ids.length <= 100 ? ids : [ids.length, ids[0], ids[ids.length >> 1], ids.at(-1)]];
    }),
  );
}

/** Whether a count is another one than what was agreed to, by more than one in a hundred. */
export function hasMoved(now: number, agreed: number): boolean {
  return Math.abs(now - agreed) > agreed / 100;
}
