import { USUAL_MAX_PROMO_CODES } from '@postrider/domain';
import { Button, FileInput, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { useApi, useAppId, keyOf } from '../../api/client';
import type { PromoJobResponse } from '@postrider/server/document';
import { NewCampaignRequest } from '../../api/generated/limits';
import { useRead } from '../../api/reading';
import { Dialog, DialogForm } from '../../components/dialog';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount, formatNoun } from '../../components/format';
import { IconUpload } from '../../components/icons';
import { EndNotice } from '../../components/end-notice';
import { Typed } from '../../components/typed';
import { UploadBars } from '../../components/upload-bars';
import { pollWhileWorking, type UploadState, useUpload } from '../../api/use-upload';
import classes from './promo.module.css';
import { sayUploadFailure, uploadUrl, sendFile } from './send-file';

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
  const upload = useCodesUpload();
  const isReady = file !== null && (whose.isGlobal || whose.trackId.trim() !== '');
  const field = useRef<HTMLButtonElement>(null);
  const wasBegun = useRef(false);
  // A person who is to choose another file is at the field for it.
  useEffect(() => {
    if (wasBegun.current && !upload.isBegun) field.current?.focus();
    wasBegun.current = upload.isBegun;
  }, [upload.isBegun]);
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
        ref={field}
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
      {file !== null && <FirstCodes file={file} />}
      <Text size="sm" c="dimmed">
        The codes replace those that were uploaded before, if there are any. Users keep the codes that they got.
      </Text>
    </DialogForm>
  );
}

/** Enough for the first lines of a file of codes. */
const LOOKED_AT_BYTES = 4_096;
const MOST_SHOWN = 3;

async function firstCodesOf(file: File): Promise<string[]> {
  const text = await file.slice(0, LOOKED_AT_BYTES).text();
  return text
    .split(/\r?\n/)
    .flatMap((line) => line.trim() || [])
    .slice(0, MOST_SHOWN);
}

/** The beginning of a file: a heading in its first line would be given to a user as a code. */
function FirstCodes({ file }: { file: File }): ReactNode {
  const found = useQuery({
    queryKey: ['first codes', file.name, file.size, file.lastModified],
    queryFn: () => firstCodesOf(file),
    retry: false,
  });
  const codes = found.data ?? [];
  if (codes.length === 0) return null;
  return (
    <Text size="sm" component="div" role="status">
      The first codes. If the first line is a heading, remove it from the file:
      {codes.map((code, n) => (
        <div key={n}>
          <Typed text={code} isMono lines={1} />
        </div>
      ))}
    </Text>
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
interface CodesUpload extends UploadState<Upload> {
  job: PromoJobResponse | undefined;
}

/** Uploads a file of codes, and follows its import. */
function useCodesUpload(): CodesUpload {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const makeCampaign = async (trackId: string): Promise<void> => {
    try {
      await api.POST('/api/push/campaigns', { body: { trackId } });
    } catch (error) {
      // It is there already, or this session may only upload to one that is.
      if (!(error instanceof ApiError && (error.status === 409 || error.status === 403))) throw error;
    }
  };
  const { answer, ...upload } = useUpload(async ({ trackId, file }: Upload, hooks) => {
    if (trackId.trim() !== '') await makeCampaign(trackId.trim());
    return sendFile(uploadUrl(appId, trackId), file, hooks);
  });
  const jobId = answer?.jobId;
  const job = useRead('/api/promo/jobs/{id}', {
    params: { path: { id: jobId ?? '' } },
    enabled: jobId !== undefined,
    pollMs: pollWhileWorking,
  });
  const status = job.data?.status;
  useEffect(() => {
    if (status === 'done') void client.invalidateQueries({ queryKey: keyOf(appId, '/api/promo/sets') });
  }, [status, client, appId]);
  return { ...upload, job: job.data, error: upload.error ?? job.error };
}

function Progressing(props: { upload: CodesUpload; onClose: () => void; onDone: () => void }): ReactNode {
  const { upload, onClose, onDone } = props;
  const { job, error } = upload;
  const isDone = job?.status === 'done';
  const isFailed = job?.status === 'failed' || error !== null;
  const tellDone = useEffectEvent(onDone);
  const place = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone: without this the focus would be behind the dialog.
  useEffect(() => place.current?.focus(), []);
  useEffect(() => {
    if (isDone) tellDone();
  }, [isDone]);
  return (
    <Stack ref={place} gap="md" tabIndex={-1} role="group" aria-label="The upload" className={classes.outcome}>
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

function Outcome({ upload, isFailed }: { upload: CodesUpload; isFailed: boolean }): ReactNode {
  const { job, error } = upload;
  if (isFailed) return <Failure job={job} error={error} />;
  return job?.status === 'done' ? (
    <Done job={job} />
  ) : (
    <UploadBars
      progress={upload.progress}
      imported={job && { lines: job.rows, bytes: job.bytes, bytesImported: job.bytesImported }}
      note="You can close this window: the import continues. Nothing changes until it is done."
    />
  );
}

function Done({ job }: { job: PromoJobResponse }): ReactNode {
  const total = job.totalRows ?? 0;
  return (
    <EndNotice kind="done" title="The new codes are in force">
      {formatNoun(total, 'code')}
      {job.rows > total && <>; {sayRepeated(job.rows - total)}</>}.
    </EndNotice>
  );
}

function sayRepeated(lines: number): string {
  return lines === 1 ? '1 repeated line was left out' : `${formatCount(lines)} repeated lines were left out`;
}

function Failure({ job, error }: { job: PromoJobResponse | undefined; error: Error | null }): ReactNode {
  if (error instanceof DOMException) {
    return <Text size="sm">The upload was stopped. No promo code was changed.</Text>;
  }
  if (error !== null) return <ErrorNotice error={error} title="The upload failed" />;
  return (
    <EndNotice kind="failed" title="The file cannot be used">
      <Typed text={sayUploadFailure(job?.reason ?? 'It could not be read')} /> Correct it and upload the file again. No
      promo code was changed.
    </EndNotice>
  );
}
