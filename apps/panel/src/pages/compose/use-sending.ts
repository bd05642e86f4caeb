import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useApi, useAppId } from '../../api/application';
import type { SendRequest } from '../../model/message-requests';
import { dryRun, type DryRun, fingerprint, hasMoved, send, type Sent } from './send-requests';

const TYPING_MS = 700;

/** How a draft stands before it is sent, and sending it. */
export interface Sending {
  /** What it would do, as last counted; undefined: not counted yet. */
  preview: DryRun | undefined;
  isCounting: boolean;
  /** Why it cannot be counted, or was not sent: what happened last. */
  error: Error | null;
  /** What `error` is about. */
  failed: 'count' | 'send';
  isSending: boolean;
  /** Set when the number had changed at the press of the button: the former one. */
  movedFrom: number | null;
  press: () => void;
}

/**
 * Counts a draft while it is written, and sends it on `press`: it is counted once more right then, and where the number is
 * another one than was shown, the new one is shown and `press` asked for again.
 *
 * @param requests null while the draft has problems
 */
export function useSending(requests: readonly SendRequest[] | null, onSent: (sent: Sent) => void): Sending {
  const api = useApi();
  const counting = useCounting(requests);
  const [agreed, setAgreed] = useState<{ key: string | null; preview: DryRun; from: number } | null>(null);
  const recount = agreed !== null && agreed.key === counting.key ? agreed : null;
  const preview = recount?.preview ?? counting.preview;
  const sending = useMutation({
    mutationFn: async (): Promise<Sent | null> => {
      if (requests === null || preview === undefined) return null;
      const now = await dryRun(api, requests);
      if (hasMoved(now.count, preview.count)) {
        setAgreed({ key: counting.key, preview: now, from: preview.count });
        return null;
      }
      return send(api, requests);
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
      if (!sending.isPending) sending.mutate();
    },
  };
}

/** The number of devices as a draft stands; nothing of a former draft. */
interface Counting {
  /** Names the draft that is counted. */
  key: string | null;
  preview: DryRun | undefined;
  isCounting: boolean;
  error: Error | null;
  failedAt: number;
}

function useCounting(requests: readonly SendRequest[] | null): Counting {
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
    gcTime: 60_000,
    retry: false,
  });
  if (!isSettled) return { key, preview: undefined, isCounting: key !== null, error: null, failedAt: 0 };
  const { data, isFetching, error, errorUpdatedAt } = counted;
  return { key, preview: data, isCounting: isFetching, error, failedAt: errorUpdatedAt };
}
