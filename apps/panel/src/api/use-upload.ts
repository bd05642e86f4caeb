import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { UploadProgress } from './upload-file';
import { useOneAtATime } from './use-one-at-a-time';

/** What an upload needs to say how far it is, and to be stopped. */
export interface UploadHooks {
  onProgress: (progress: UploadProgress) => void;
  signal: AbortSignal;
}

/** The state of an upload, and how it is begun and ended. */
export interface UploadState<Order> {
  isBegun: boolean;
  progress: UploadProgress | null;
  error: Error | null;
  start: (order: Order) => void;
  stop: () => void;
  reset: () => void;
}

/** The upload of a file, and the answer to it. */
interface Uploading<Order, Answer> extends UploadState<Order> {
  answer: Answer | undefined;
}

/** Uploads a file with `send`; the upload ends with the page that began it. */
export function useUpload<Order, Answer>(
  send: (order: Order, hooks: UploadHooks) => Promise<Answer>,
): Uploading<Order, Answer> {
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const stopper = useRef<AbortController>(new AbortController());
  const sending = useMutation({
    mutationFn: (order: Order) => {
      stopper.current = new AbortController();
      return send(order, { onProgress: setProgress, signal: stopper.current.signal });
    },
  });
  useEffect(() => () => stopper.current.abort(), []);
  const start = useOneAtATime((order: Order) => sending.mutateAsync(order));
  return {
    isBegun: !sending.isIdle,
    progress,
    answer: sending.data,
    error: sending.error,
    start,
    stop: () => stopper.current.abort(),
    reset: () => {
      setProgress(null);
      sending.reset();
    },
  };
}

/** How often a page looks at the job that works on an uploaded file: every 0.7 s, until the job has ended. */
export function pollWhileWorking(job: { status: string } | undefined): number | false {
  return job?.status === 'done' || job?.status === 'failed' ? false : 700;
}
