import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useQueryParams } from '../../api/address';
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
  query: { name?: string; format?: string; mapping?: string; header?: string; pushType?: string; validate?: string };
}

/**
 * The state of an import: first the upload of the file, then the devices. `stop` ends either; what was imported stays. The
 * address of the page names the import, so that a person who leaves the page finds it again.
 */
export interface ImportState extends UploadState<ImportOrder> {
  job: ImportResponse | undefined;
}

/** Uploads a file of devices, and follows its import. */
export function useImport(): ImportState {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [params, setParams] = useQueryParams();
  const upload = useUpload(async ({ file, kind, query }: ImportOrder, hooks) => {
    const answer = await uploadFile<{ jobId: string }>(applicationUrl(appId, '/api/installations/import', { query }), {
      body: file,
      headers: { 'content-type': kind.contentType, ...(kind.isPacked ? { 'content-encoding': 'gzip' } : {}) },
      ...hooks,
    });
    setParams({ job: answer.jobId });
  });
  const jobId = params.get('job') ?? '';
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
    if (status === undefined) return;
    void client.invalidateQueries({ queryKey: keyOf(appId, '/api/installations/import') });
    if (status === 'done') void client.invalidateQueries({ queryKey: keyOf(appId, '/api/users') });
  }, [status, client, appId]);
  return {
    isBegun: upload.isBegun || jobId !== '',
    progress: upload.progress,
    job: job.data,
    error: upload.error ?? job.error ?? cancelling.error,
    start: upload.start,
    stop: () => (jobId === '' ? upload.stop() : cancelling.mutate()),
    reset: () => {
      upload.reset();
      cancelling.reset();
      setParams({});
    },
  };
}
