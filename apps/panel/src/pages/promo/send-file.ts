import { applicationUrl } from '../../api/client';
import type { paths } from '@postrider/server/document';
import { uploadFile } from '../../api/upload-file';
import type { UploadHooks } from '../../api/use-upload';

type Upload = paths['/api/containers/updatePromoCodes/{track_id}' | '/api/containers/updateGlobalPromoCodes']['post'];

/** The answer to an upload that is imported after it. */
type Accepted = Upload['responses'][202]['content']['application/json'];

/**
 * Sends a file of codes as the part `file` of a form.
 *
 * @param url of `uploadUrl`
 *
 * @throws ApiError
 */
export function sendFile(url: string, file: File, hooks: UploadHooks): Promise<Accepted> {
  const form = new FormData();
  form.append('file', file, file.name);
  return uploadFile<Accepted>(url, { body: form, ...hooks });
}

/** Returns the address of an upload of codes, which are imported after it; '' is the application's global set. */
export function uploadUrl(appId: string, trackId: string): string {
  const name = trackId.trim();
  const query = { async: true };
  return name === ''
    ? applicationUrl(appId, '/api/containers/updateGlobalPromoCodes', { query })
    : applicationUrl(appId, '/api/containers/updatePromoCodes/{track_id}', { path: { track_id: name }, query });
}

/**
 * Why an upload failed, as a sentence: `line 3: has a second column` → `Line 3 has a second column.` What is wrong with
 * the file as a whole is said without the line at which that was noticed.
 */
export function sayUploadFailure(reason: string): string {
  const text = reason.replace(/^line \d+: (?=the file )/i, '').replace(/^line (\d+): /i, 'Line $1 ');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
