import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { applicationUrl, keyOf, useApi, useAppId } from '../../api/client';
import type { ImportResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { uploadFile } from '../../api/upload-file';
import { pollWhileWorking, type UploadState, useUpload } from '../../api/use-upload';
import type { FileKind } from './import-file';

/** A file to import, and how. */
export interface ImportOrder {
  file: File;
  kind: FileKind;
  query: { format?: string; mapping?: string; header?: string; pushType?: string; validate?: string };
}

/** The state of an import: first the upload of the file, then the devices. `stop` ends either; what was imported stays. */
export interface ImportState extends UploadState<ImportOrder> {
  job: ImportResponse | undefined;
}

/** Uploads a file of devices, and follows its import. */
export function useImport(): ImportState {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const upload = useUpload(({ file, kind, query }: ImportOrder, hooks) =>
    uploadFile<{ jobId: string }>(applicationUrl(appId, '/api/installations/import', { query }), {
      body: file,
      headers: { 'content-type': kind.contentType, ...(kind.isPacked ? { 'content-encoding': 'gzip' } : {}) },
      ...hooks,
    }),
  );
  const jobId = upload.answer?.jobId ?? '';
  const job = useRead('/api/installations/import/{jobId}', {
    params: { path: { jobId } },
    enabled: jobId !== '',
    pollMs: pollWhileWorking,
  });
  const cancelling = useMutation({
    mutationFn: () => api.POST('/api/installations/import/{jobId}/cancel', { params: { path: { jobId } } }),
    onSuccess: () => job.refetch(),
  });
  const status = job.data?.status;
  useEffect(() => {
    if (status === 'done') void client.invalidateQueries({ queryKey: keyOf(appId, '/api/users') });
  }, [status, client, appId]);
  return {
    isBegun: upload.isBegun,
    progress: upload.progress,
    job: job.data,
    error: upload.error ?? job.error ?? cancelling.error,
    start: upload.start,
    stop: () => (jobId === '' ? upload.stop() : cancelling.mutate()),
    reset: upload.reset,
  };
}
