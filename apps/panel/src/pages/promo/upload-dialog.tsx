import { USUAL_MAX_PROMO_CODES } from '@postrider/domain';
import { Alert, Button, FileInput, Group, Progress, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { useApi, useAppId, keyOf } from '../../api/client';
import type { PromoJobResponse } from '@postrider/server/document';
import { NewCampaignRequest } from '../../api/generated/limits';
import { useRead } from '../../api/reading';
import { Dialog, DialogForm } from '../../components/dialog';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount, formatNoun, formatShare } from '../../components/format';
import { IconAlertCircle, IconCircleCheck, IconUpload } from '../../components/icons';
import { Typed } from '../../components/typed';
import type { UploadProgress } from '../../api/upload-file';
import { sayBytes, sayUploadFailure, uploadUrl, sendFile } from './send-file';

/** Uploads a file of codes and follows it until it is in force. */
export function UploadDialog(props: {
  isOpen: boolean;
  trackId?: string | null;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title="Upload promo codes" size="lg">
      <UploadForm {...props} />
    </Dialog>
  );
}

interface Upload {
  trackId: string;
  file: File;
}

interface FormProps {
  trackId?: string | null;
  onClose: () => void;
  onDone: () => void;
}

function UploadForm({ trackId: fixed, onClose, onDone }: FormProps): ReactNode {
  const [whose, setWhose] = useState<Whose>({ isGlobal: fixed === null, trackId: fixed ?? '' });
  const [file, setFile] = useState<File | null>(null);
  const upload = useUpload();
  const isReady = file !== null && (whose.isGlobal || whose.trackId.trim() !== '');
  if (upload.isBegun) return <Progressing upload={upload} onClose={onClose} onDone={onDone} />;
  return (
    <DialogForm
      form={{
        submit: () => file !== null && upload.start({ trackId: whose.isGlobal ? '' : whose.trackId, file }),
        isPending: false,
        error: null,
        shownPaths: [],
      }}
      submitLabel="Upload"
      isDisabled={!isReady}
      onCancel={onClose}
    >
      {fixed === undefined && <WhoseCodes whose={whose} onChange={setWhose} />}
      <FileInput
        label="File"
        description={`UTF-8 text with one code per line and no second column. At most ${formatCount(USUAL_MAX_PROMO_CODES)} codes.`}
        placeholder="Choose a file"
        accept=".csv,.txt,text/csv,text/plain"
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
        leftSection={<IconUpload size={16} aria-hidden />}
        value={file}
        onChange={setFile}
        data-autofocus={fixed !== undefined || undefined}
      />
      <Text size="sm" c="dimmed">
        The new set replaces the former set. Users keep the codes that they got.
      </Text>
    </DialogForm>
  );
}

/** The owner of the codes: one campaign, or the whole application. */
interface Whose {
  isGlobal: boolean;
  trackId: string;
}

function WhoseCodes({ whose, onChange }: { whose: Whose; onChange: (whose: Whose) => void }): ReactNode {
  return (
    <>
      <Radio.Group
        label="Use the codes for"
        value={whose.isGlobal ? 'global' : 'campaign'}
        onChange={(value) => onChange({ ...whose, isGlobal: value === 'global' })}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="campaign" label="One campaign" data-autofocus />
          <Radio
            value="global"
            label="All campaigns"
            description="Used if a campaign has no codes of its own, or none left."
          />
        </Stack>
      </Radio.Group>
      {!whose.isGlobal && (
        <TextInput
          label="Track id of the campaign"
          description="The track id with which the campaign is sent."
          maxLength={NewCampaignRequest.trackId.maxLength}
          value={whose.trackId}
          onChange={({ currentTarget }) => onChange({ ...whose, trackId: currentTarget.value })}
        />
      )}
    </>
  );
}

/** An upload under way: the file on its way here, then its import. */
interface UploadState {
  isBegun: boolean;
  progress: UploadProgress | null;
  job: PromoJobResponse | undefined;
  error: Error | null;
  start: (upload: Upload) => void;
  stop: () => void;
  reset: () => void;
}

const POLL_MS = 700;

function useUpload(): UploadState {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const stopper = useRef<AbortController>(new AbortController());
  const sending = useMutation({
    mutationFn: async ({ trackId, file }: Upload) => {
      stopper.current = new AbortController();
      if (trackId.trim() !== '') await makeCampaign(trackId.trim());
      const url = uploadUrl(appId, trackId);
      return sendFile(url, file, {
        onProgress: setProgress,
        signal: stopper.current.signal,
      });
    },
  });
  const makeCampaign = async (trackId: string): Promise<void> => {
    try {
      await api.POST('/api/push/campaigns', { body: { trackId } });
    } catch (error) {
      // It is there already, or this session may only upload to one that is.
      if (!(error instanceof ApiError && (error.status === 409 || error.status === 403))) throw error;
    }
  };
  const jobId = sending.data?.jobId;
  const job = useRead('/api/promo/jobs/{id}', {
    params: { path: { id: jobId ?? '' } },
    enabled: jobId !== undefined,
    pollMs: (data) => (data?.status === 'done' || data?.status === 'failed' ? false : POLL_MS),
  });
  useEffect(() => () => stopper.current.abort(), []);
  const status = job.data?.status;
  useEffect(() => {
    if (status === 'done') void client.invalidateQueries({ queryKey: keyOf(appId, '/api/promo/sets') });
  }, [status, client, appId]);
  return {
    isBegun: !sending.isIdle,
    progress,
    job: job.data,
    error: sending.error ?? job.error,
    start: sending.mutate,
    stop: () => stopper.current.abort(),
    reset: () => {
      setProgress(null);
      sending.reset();
    },
  };
}

function Progressing(props: { upload: UploadState; onClose: () => void; onDone: () => void }): ReactNode {
  const { upload, onClose, onDone } = props;
  const { job, error } = upload;
  const isDone = job?.status === 'done';
  const isFailed = job?.status === 'failed' || error !== null;
  const tellDone = useEffectEvent(onDone);
  useEffect(() => {
    if (isDone) tellDone();
  }, [isDone]);
  return (
    <Stack gap="md">
      <Outcome upload={upload} isFailed={isFailed} />
      <Group justify="flex-end">
        {isFailed && (
          <Button variant="default" onClick={upload.reset}>
            Choose another file
          </Button>
        )}
        {isFailed || job ? (
          <Button variant={isDone ? 'filled' : 'default'} onClick={onClose}>
            Close
          </Button>
        ) : (
          <Button variant="default" onClick={upload.stop}>
            Stop
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function Outcome({ upload, isFailed }: { upload: UploadState; isFailed: boolean }): ReactNode {
  const { job, error } = upload;
  if (isFailed) return <Failure job={job} error={error} />;
  return job?.status === 'done' ? <Done job={job} /> : <Bars upload={upload} />;
}

function Bars({ upload: { progress, job } }: { upload: UploadState }): ReactNode {
  const share = progress ? progress.sent / Math.max(1, progress.total) : 0;
  const imported = job ? job.bytesImported / Math.max(1, job.bytes) : 0;
  return (
    <Stack gap="md" role="status" aria-live="polite">
      <div>
        <Group justify="space-between" mb={4}>
          <Text size="sm" fw={600}>
            Upload
          </Text>
          <Text size="sm" c="dimmed">
            {progress ? `${sayBytes(progress.sent)} of ${sayBytes(progress.total)}` : 'begins'}
          </Text>
        </Group>
        <Progress value={job ? 100 : share * 100} aria-label="Uploaded" />
      </div>
      <div>
        <Group justify="space-between" mb={4}>
          <Text size="sm" fw={600}>
            Import
          </Text>
          <Text size="sm" c="dimmed">
            {job ? `${formatNoun(job.rows, 'line')}, ${formatShare(job.bytesImported, job.bytes)}` : 'follows'}
          </Text>
        </Group>
        <Progress value={imported * 100} aria-label="Imported" />
      </div>
      {job && (
        <Text size="sm" c="dimmed">
          You can close this window: the import continues. The former codes are used until it is done.
        </Text>
      )}
    </Stack>
  );
}

function Done({ job }: { job: PromoJobResponse }): ReactNode {
  const total = job.totalRows ?? 0;
  return (
    <Alert
      color="pine"
      variant="light"
      icon={<IconCircleCheck aria-hidden />}
      title="The new codes are in force"
      role="status"
    >
      {formatNoun(total, 'code')}
      {job.rows > total && <>; {formatCount(job.rows - total)} repeated lines count once</>}.
    </Alert>
  );
}

function Failure({ job, error }: { job: PromoJobResponse | undefined; error: Error | null }): ReactNode {
  if (error instanceof DOMException) {
    return <Text size="sm">The upload was stopped. The former codes stay in force.</Text>;
  }
  if (error !== null) return <ErrorNotice error={error} title="The upload failed" />;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertCircle aria-hidden />}
      title="The file cannot be used"
      role="alert"
    >
      <Typed text={sayUploadFailure(job?.reason ?? 'It could not be read')} /> Correct it and upload the file again. The
      former codes stay in force.
    </Alert>
  );
}
