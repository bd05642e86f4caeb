import { applicationUrl } from '../../api/client';
import type { paths } from '@postrider/server/document';
import { uploadFile, type UploadProgress } from '../../api/upload-file';

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
export function sendFile(
  url: string,
  file: File,
  how: { onProgress: (progress: UploadProgress) => void; signal: AbortSignal },
): Promise<Accepted> {
  const form = new FormData();
  form.append('file', file, file.name);
  return uploadFile<Accepted>(url, { body: form, ...how });
}

/** Returns the address of an upload of codes, which are imported after it; '' is the application's global set. */
export function uploadUrl(appId: string, trackId: string): string {
  const name = trackId.trim();
  const query = { async: true };
  return name === ''
    ? applicationUrl(appId, '/api/containers/updateGlobalPromoCodes', { query })
    : applicationUrl(appId, '/api/containers/updatePromoCodes/{track_id}', { path: { track_id: name }, query });
}

/** A size for people: `1.4 MB`. */
export function sayBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const amount = bytes / 1_000 ** step;
  return `${amount >= 100 || step === 0 ? Math.round(amount) : amount.toFixed(1)} ${units[step] ?? 'B'}`;
}

/** Why an upload failed, as a sentence: `line 3: has a second column` → `Line 3 has a second column.` */
export function sayUploadFailure(reason: string): string {
  const text = reason.replace(/^line (\d+): /i, 'Line $1 ');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
