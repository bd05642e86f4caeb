import { useDebouncedValue } from '@mantine/hooks';
import { MINUTE_MS } from '@postrider/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { ApiError, mayPass } from '../../api/api-error';
import { useApi, useAppId, answerOf, type ApplicationApi } from '../../api/client';
import { printOf, type SavedAs } from '../../model/message-draft';
import type { SendCall } from '../../model/message-requests';
import type { SendResponse } from '@postrider/server/document';

const TYPING_MS = 700;

/** The state of a draft before it is sent, and the action that sends it. */
export interface Sending {
  /** The result that a send would have, as last counted; undefined: not counted yet. */
  preview: DryRun | undefined;
  isCounting: boolean;
  /** Why it cannot be counted, or was not sent: what happened last. */
  error: Error | null;
  /** The request that failed with `error`. */
  failed: 'count' | 'send';
  isSending: boolean;
  /** Set when the number had changed at the press of the button: the former one. */
  movedFrom: number | null;
  press: () => void;
}

/**
 * Counts a draft while it is written, and sends it on `press` with the number that is shown. If the gateway answers
 * that the audience has another size by now, nothing was sent: the new number is shown, and the person must press
 * again.
 * @param requests null while the draft has problems
 * @param save saves the draft as it is; the send removes its saved form
 */
export function useSending(
  requests: readonly SendCall[] | null,
  onSent: (sent: Sent) => void,
  save: () => Promise<SavedAs | null>,
): Sending {
  const api = useApi();
  const counting = useCounting(requests);
  const [agreed, setAgreed] = useState<{ key: string | null; preview: DryRun; from: number } | null>(null);
  const recount = agreed !== null && agreed.key === counting.key ? agreed : null;
  const preview = recount?.preview ?? counting.preview;
  const attempts = useRef(new Map<string, number>());
  const isPressed = useRef(false);
  const sending = useMutation({
    mutationFn: async (): Promise<Sent | null> => {
      if (requests === null || preview === undefined) return null;
      try {
        return await send(api, clearing(requests, await save()), {
          counts: preview.counts,
          attempts: attempts.current,
        });
      } catch (error) {
        if (!isAudienceChanged(error)) throw error;
        setAgreed({ key: counting.key, preview: await dryRun(api, requests), from: preview.count });
        return null;
      }
    },
    onSuccess: (sent) => {
      if (sent !== null) onSent(sent);
    },
  });
  const hasSendFailed = sending.error !== null && sending.submittedAt > counting.failedAt;
  return {
    preview,
    isCounting: counting.isCounting,
    error: hasSendFailed ? sending.error : counting.error,
    failed: hasSendFailed ? 'send' : 'count',
    isSending: sending.isPending,
    movedFrom: recount?.from ?? null,
    press: () => {
      // `isPending` is known with the next rendering only: too late for the second press of a double click.
      if (isPressed.current) return;
      isPressed.current = true;
      const settle = (): void => {
        isPressed.current = false;
      };
      void sending.mutateAsync().then(settle, settle);
    },
  };
}

/** The last request removes the saved draft: it is there until all of the message is accepted. */
function clearing(requests: readonly SendCall[], saved: SavedAs | null): SendCall[] {
  if (saved === null) return [...requests];
  const more = { draftId: saved.id, draftRevision: saved.revision };
  return requests.map((request, index) =>
    index < requests.length - 1 ? request : ({ ...request, body: { ...request.body, ...more } } as SendCall),
  );
}

/** What could not be counted for a passing reason is counted again after this. */
const AGAIN_MS = 10_000;

/** The number of devices of the current draft; nothing of a former draft. */
interface Counting {
  /** Names the draft that is counted. */
  key: string | null;
  preview: DryRun | undefined;
  isCounting: boolean;
  error: Error | null;
  failedAt: number;
}

function useCounting(requests: readonly SendCall[] | null): Counting {
  const api = useApi();
  const appId = useAppId();
  const key = useMemo(() => (requests === null ? null : fingerprint(requests)), [requests]);
  const [settled] = useDebouncedValue({ requests, key }, TYPING_MS);
  const isSettled = key !== null && settled.key === key;
  const counted = useQuery({
    queryKey: [appId, 'push', 'dryRun', settled.key],
    queryFn: ({ signal }) => dryRun(api, settled.requests ?? [], signal),
    enabled: isSettled,
    staleTime: 15_000,
    gcTime: MINUTE_MS,
    // Without a number nothing can be sent, and the person has nothing to press.
    retry: (_, error) => mayPass(error),
    retryDelay: AGAIN_MS,
  });
  if (!isSettled) return { key, preview: undefined, isCounting: key !== null, error: null, failedAt: 0 };
  const { data, isFetching, failureReason, errorUpdatedAt } = counted;
  return {
    key,
    preview: data,
    isCounting: isFetching && failureReason === null,
    error: failureReason,
    failedAt: errorUpdatedAt,
  };
}

/** The result that a send would have now. */
export type DryRun = Required<
  Pick<SendResponse, 'count' | 'byVendor' | 'waitingForVendors' | 'sample' | 'schedule' | 'frequencyCaps' | 'warnings'>
> & {
  /** The count of each request, in their order. */
  counts: number[];
  /** Who gets which language, the default first; null: that was not counted. */
  byLanguage: NonNullable<SendResponse['byLanguage']> | null;
};

/** The result of a send. */
export interface Sent {
  count: number;
  /** Ids of the messages that were accepted. */
  messageIds: string[];
  /** True if it had been sent before, and nothing was sent now. */
  isReplay: boolean;
}

const SAMPLE_SIZE = 10;

/** Asks what requests would do, and sends nothing. @throws ApiError */
async function dryRun(api: ApplicationApi, requests: readonly SendCall[], signal?: AbortSignal): Promise<DryRun> {
  const whole: DryRun = {
    count: 0,
    byVendor: {},
    waitingForVendors: [],
    sample: [],
    schedule: [],
    frequencyCaps: [],
    warnings: [],
    counts: [],
    byLanguage: [],
  };
  for (const { path, body } of requests) {
    const options = { params: { query: { dryRun: true } }, body, ...(signal ? { signal } : {}) };
    const {
      count,
      byVendor = {},
      waitingForVendors,
      sample = [],
      schedule = [],
      frequencyCaps = [],
      warnings = [],
      byLanguage,
    } = await answerOf(api.POST(path, options));
    whole.count += count;
    whole.counts.push(count);
    whole.schedule.push(...schedule);
    whole.frequencyCaps = frequencyCaps;
    // All requests have the same texts.
    whole.warnings = warnings;
    for (const [vendor, devices] of Object.entries(byVendor)) {
      whole.byVendor[vendor] = (whole.byVendor[vendor] ?? 0) + devices;
    }
    whole.waitingForVendors = withWaiting(whole.waitingForVendors, waitingForVendors);
    whole.sample.push(...sample.slice(0, SAMPLE_SIZE - whole.sample.length));
    whole.byLanguage = withLanguages(whole.byLanguage, byLanguage);
  }
  return whole;
}

/** Adds the devices of a request that wait for vendors to those of the former ones. */
function withWaiting(
  whole: DryRun['waitingForVendors'],
  more: SendResponse['waitingForVendors'] = [],
): DryRun['waitingForVendors'] {
  const sums = new Map(whole.map(({ vendor, devices }) => [vendor, devices]));
  for (const { vendor, devices } of more) sums.set(vendor, (sums.get(vendor) ?? 0) + devices);
  return [...sums].map(([vendor, devices]) => ({ vendor, devices }));
}

/** Adds the languages of a request to those of the former ones: all requests have the same. Null: not all were counted. */
function withLanguages(whole: DryRun['byLanguage'], more: SendResponse['byLanguage']): DryRun['byLanguage'] {
  if (whole === null || more === undefined) return null;
  return more.map(({ language, count, sample }, place) => ({
    language,
    count: count + (whole[place]?.count ?? 0),
    sample: [...(whole[place]?.sample ?? []), ...sample].slice(0, SAMPLE_SIZE),
  }));
}

/** How many devices each request is expected to reach, and the former tries. */
interface Expectation {
  counts: readonly number[];
  /** The numbers that requests were tried with and not refused for. */
  attempts: Map<string, number>;
}

/**
 * Sends requests, each once however often this is called.
 *
 * @param expectation left out: however many devices there are. A request that was tried before without an answer keeps its number:
 *   under the same idempotency key the gateway takes only the same body
 * @throws ApiError
 */
export async function send(
  api: ApplicationApi,
  requests: readonly SendCall[],
  expectation?: Expectation,
): Promise<Sent> {
  const sent: Sent = { count: 0, messageIds: [], isReplay: true };
  for (const [index, request] of requests.entries()) {
    const asked = expectation ? sendExpecting(api, request, index, expectation) : post(api, request);
    const { headers } = (await asked).response;
    sent.count += (await answerOf(asked)).count;
    sent.messageIds.push(...(headers.get('x-message-id') ?? '').split(',').filter((id) => id !== ''));
    sent.isReplay &&= headers.get('idempotent-replayed') === 'true';
  }
  return sent;
}

type Posted = Promise<{ data?: SendResponse; response: Response }>;

async function sendExpecting(
  api: ApplicationApi,
  request: SendCall,
  index: number,
  { counts, attempts }: Expectation,
): Posted {
  const key = `${request.idempotencyKey} ${fingerprint([request])}`;
  const expectedCount = attempts.get(key) ?? counts[index] ?? 0;
  attempts.set(key, expectedCount);
  try {
    return await post(api, request, { expectedCount });
  } catch (error) {
    if (isAudienceChanged(error)) attempts.delete(key);
    throw error;
  }
}

function post(api: ApplicationApi, { path, body, idempotencyKey }: SendCall, more: object = {}): Posted {
  const params = { header: { 'Idempotency-Key': idempotencyKey } };
  return api.POST(path, { params, body: { ...body, ...more } });
}

/** A short text that changes whenever requests do, without the hundred thousand ids that they may hold. */
export function fingerprint(requests: readonly SendCall[]): string {
  return JSON.stringify(
    requests.map(({ path, body }) => {
      const { users, ...rest } = body;
      const ids = Array.isArray(users) ? (users as string[]) : [];
      return [path, rest, ids.length <= 100 ? ids : printOf(ids.join('\n'))];
    }),
  );
}

function isAudienceChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'AUDIENCE_CHANGED';
}
