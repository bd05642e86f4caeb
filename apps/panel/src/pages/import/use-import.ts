import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { applicationUrl, keyOf, useApi, useAppId } from '../../api/client';
import type { ImportResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { uploadFile, type UploadProgress } from '../../api/upload-file';
import type { FileKind } from './import-file';

/** A file to import, and how. */
export interface ImportOrder {
  file: File;
  kind: FileKind;
  query: { format?: string; mapping?: string; header?: string; pushType?: string; validate?: string };
}

/** The state of an import: first the upload of the file, then the devices. */
export interface ImportState {
  isBegun: boolean;
  progress: UploadProgress | null;
  job: ImportResponse | undefined;
  error: Error | null;
  start: (order: ImportOrder) => void;
  /** Ends the upload, or the import; what was imported stays. */
  stop: () => void;
  reset: () => void;
}

const POLL_MS = 700;

/** Uploads a file of devices, and follows its import. */
export function useImport(): ImportState {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const stopper = useRef<AbortController>(new AbortController());
  const sending = useMutation({
    mutationFn: ({ file, kind, query }: ImportOrder) => {
      stopper.current = new AbortController();
      return uploadFile<{ jobId: string }>(applicationUrl(appId, '/api/installations/import', { query }), {
        body: file,
        headers: { 'content-type': kind.contentType, ...(kind.isPacked ? { 'content-encoding': 'gzip' } : {}) },
        onProgress: setProgress,
        signal: stopper.current.signal,
      });
    },
  });
  const jobId = sending.data?.jobId ?? '';
  const job = useRead('/api/installations/import/{jobId}', {
    params: { path: { jobId } },
    enabled: jobId !== '',
    pollMs: (data) => (data?.status === 'done' || data?.status === 'failed' ? false : POLL_MS),
  });
  const cancelling = useMutation({
    mutationFn: () => api.POST('/api/installations/import/{jobId}/cancel', { params: { path: { jobId } } }),
    onSuccess: () => job.refetch(),
  });
  useEffect(() => () => stopper.current.abort(), []);
  const status = job.data?.status;
  useEffect(() => {
    if (status === 'done') void client.invalidateQueries({ queryKey: keyOf(appId, '/api/users') });
  }, [status, client, appId]);
  return {
    isBegun: !sending.isIdle,
    progress,
    job: job.data,
    error: sending.error ?? job.error ?? cancelling.error,
    start: sending.mutate,
    stop: () => (jobId === '' ? stopper.current.abort() : cancelling.mutate()),
    reset: () => {
      setProgress(null);
      sending.reset();
    },
  };
}
